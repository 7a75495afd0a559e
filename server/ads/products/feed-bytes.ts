import { pipeline, Readable } from "node:stream";
import { createGunzip, type Gunzip } from "node:zlib";
import { FEED_LIMITS, type FeedLimits } from "./feed-limits";
import { BrokenFeed } from "./feed-line";

const GZIP_MAGIC = [0x1f, 0x8b];
const UNPACKED_CHUNK_BYTES = 64 * 1024;

export interface FeedBytesOptions {
  isGzip?: boolean;
  limits?: Pick<FeedLimits, "bytesMax" | "ratioMax" | "ratioGraceBytes">;
}

/**
 * The bytes of a feed, decompressed if the caller declares gzip or the first two bytes identify it: `.gz` files are
 * often uploaded without a declaration.
 */
export async function* feedBytes(
  sent: AsyncIterable<Uint8Array>,
  { isGzip = false, limits = FEED_LIMITS }: FeedBytesOptions = {},
): AsyncGenerator<Uint8Array> {
  const { head, chunks } = await peek(sent, GZIP_MAGIC.length);
  const isPacked = isGzip || GZIP_MAGIC.every((byte, i) => head[i] === byte);
  let total = 0;
  for await (const chunk of isPacked ? unpacked(chunks, limits) : chunks) {
    total += chunk.length;
    if (total > limits.bytesMax) {
      throw new BrokenFeed("feed_too_large", `A feed may have at most ${limits.bytesMax} bytes after decompression.`);
    }
    yield chunk;
  }
}

/**
 * Returns the first bytes of a stream (at least `count`, unless the stream is shorter) and a stream that still contains
 * them. An error of the stream surfaces only after its first bytes have been read again.
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

async function* unpacked(
  chunks: AsyncIterable<Uint8Array>,
  limits: Pick<FeedLimits, "ratioMax" | "ratioGraceBytes">,
): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip({ chunkSize: UNPACKED_CHUNK_BYTES });
  // This callback only prevents an unhandled rejection; reading `gunzip` below throws the error.
  pipeline(Readable.from(chunks, { objectMode: false }), gunzip, () => undefined);
  let total = 0;
  try {
    for await (const chunk of gunzip) {
      total += (chunk as Uint8Array).length;
      refuseRatio(total, gunzip, limits);
      yield chunk as Uint8Array;
    }
  } catch (cause) {
    if (cause instanceof Error && "errno" in cause) {
      throw new BrokenFeed("broken_gzip", `The gzip data is corrupt or truncated (${cause.message}).`);
    }
    throw cause;
  }
}

function refuseRatio(
  total: number,
  { bytesWritten }: Gunzip,
  { ratioMax, ratioGraceBytes }: Pick<FeedLimits, "ratioMax" | "ratioGraceBytes">,
): void {
  if (total <= ratioGraceBytes || total <= ratioMax * bytesWritten) return;
  const sentence = `The gzip data decompresses to more than ${ratioMax} times its size; send it uncompressed.`;
  throw new BrokenFeed("compression_ratio", sentence);
}
