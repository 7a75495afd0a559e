import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { ServiceError } from "../../kernel/errors";
import { BrokenFeed } from "./feed-line";

/** What a feed may unpack to; a gzip bomb of a few kilobytes would otherwise keep a process busy for hours. */
const FEED_BYTES_MAX = 1024 * 1024 * 1024;
const GZIP_MAGIC = [0x1f, 0x8b];

/** A feed's bytes, unpacked where the caller says so or their first two bytes do: a `.gz` file may come unannounced. */
export async function* feedBytes(
  body: ReadableStream<Uint8Array>,
  { isGzip = false, bytesMax = FEED_BYTES_MAX }: { isGzip?: boolean; bytesMax?: number | undefined } = {},
): AsyncGenerator<Uint8Array> {
  const { head, chunks } = await peek(received(body), GZIP_MAGIC.length);
  const isPacked = isGzip || GZIP_MAGIC.every((byte, i) => head[i] === byte);
  let total = 0;
  for await (const chunk of isPacked ? unpacked(chunks) : chunks) {
    total += chunk.length;
    if (total > bytesMax) throw new BrokenFeed("feed_too_large", `A feed may unpack to at most ${bytesMax} bytes.`);
    yield chunk;
  }
}

/**
 * The first bytes of a stream, `count` or more unless it is shorter, and the stream with them put back. A stream that
 * fails so early does so after its first bytes were read again.
 */
export async function peek(
  source: AsyncIterable<Uint8Array>,
  count: number,
): Promise<{ head: Uint8Array; chunks: AsyncGenerator<Uint8Array> }> {
  const iterator = source[Symbol.asyncIterator]();
  let head: Uint8Array = new Uint8Array();
  try {
    while (head.length < count) {
      const next = await iterator.next();
      if (next.done) break;
      head = head.length === 0 ? next.value : Buffer.concat([head, next.value]);
    }
  } catch (cause) {
    return { head, chunks: failingAfter(head, cause) };
  }
  return { head, chunks: putBack(head, iterator) };
}

async function* failingAfter(head: Uint8Array, cause: unknown): AsyncGenerator<Uint8Array> {
  if (head.length > 0) yield head;
  throw cause;
}

async function* putBack(head: Uint8Array, iterator: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    if (head.length > 0) yield head;
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
  } finally {
    await iterator.return?.();
  }
}

/** The body as it arrives; a connection that breaks off is the caller's failure, not ours. */
async function* received(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause;
    throw new BrokenFeed("interrupted", "The request's body ended before it was complete.");
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

async function* unpacked(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip();
  // The callback only keeps a failure from going unheard twice: reading `gunzip` below throws it.
  pipeline(Readable.from(chunks, { objectMode: false }), gunzip, () => undefined);
  try {
    for await (const chunk of gunzip) yield chunk as Uint8Array;
  } catch (cause) {
    if (cause instanceof Error && "errno" in cause) {
      throw new BrokenFeed("broken_gzip", `The gzip data is damaged or cut short (${cause.message}).`);
    }
    throw cause;
  }
}
