import type { GuardedResponse } from "../../../engines/guarded-fetch";
import { ServiceError } from "../../../kernel/errors";
import { pause } from "../../../kernel/pause";
import { withTimeout } from "../../../kernel/with-timeout";
import type { ModelSource } from "./conversion";
import { refusedSource, sourceChanged, unreadableSource } from "./model-errors";
import { type RequestParts, requestSource } from "./request-source";

/** Connections that fail without a byte, before the source counts as unreadable. */
const FAILURES_MAX = 5;
const RETRY_MS = 200;
/** While waiting for the server, this many bytes must arrive in this time. */
const WINDOW_MS = 60_000;
const WINDOW_BYTES = 64 * 1024;

export interface HttpsParts extends RequestParts {
  /** The pause after the first failure; doubled after each. */
  retryMs?: number;
}

/**
 * A file of an HTTPS server, requested through the guard of tenants' URLs. It is read in ranges, and an interrupted
 * connection is continued; from a server without ranges only in one piece. The server must state its size. Throws the
 * errors of `requestSource`, and `conflict` (reason `source_changed`) if the file changes while it is read.
 */
export async function openHttpsSource(url: string, parts: HttpsParts, signal: AbortSignal): Promise<ModelSource> {
  const response = await requestSource(url, { ...parts, range: { first: 0, last: 0 }, signal });
  response.close();
  const file = { ...parts, url, ...describe(response) };
  return { size: file.size, read: (from, to, readSignal) => readFile(file, { from, to }, readSignal) };
}

interface Described {
  size: number;
  hasRanges: boolean;
  /** Differs for another content; undefined if the server sends none. */
  version: string | undefined;
}

type HttpsFile = Described & HttpsParts & { url: string };

interface Span {
  from: number;
  /** After the last byte. */
  to: number;
}

function describe({ status, headers }: GuardedResponse): Described {
  const hasRanges = status === 206;
  const size = hasRanges
    ? /^bytes \d+-\d+\/(\d+)$/.exec(headers["content-range"] ?? "")?.[1]
    : headers["content-length"];
  if (size === undefined || !Number.isSafeInteger(Number(size))) {
    throw refusedSource("the server does not state the size of the file (Content-Length or Content-Range).");
  }
  return { size: Number(size), hasRanges, version: headers.etag ?? headers["last-modified"] };
}

async function* readFile(file: HttpsFile, { from, to }: Span, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  let position = from;
  for (let failures = 0; position < to; ) {
    try {
      for await (const chunk of readPiece(file, { from: position, to }, signal)) {
        position += chunk.length;
        failures = 0;
        yield chunk;
      }
    } catch (failure) {
      signal.throwIfAborted();
      const isTemporary = failure instanceof ServiceError && failure.code === "unavailable";
      if (!isTemporary || !file.hasRanges || ++failures >= FAILURES_MAX) throw failure;
      await pause((file.retryMs ?? RETRY_MS) * 2 ** (failures - 1), signal);
    }
  }
}

/** What one connection yields of a span. */
async function* readPiece(file: HttpsFile, span: Span, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const response = await requestSource(file.url, { ...file, range: { first: span.from, last: span.to - 1 }, signal });
  try {
    const { size, hasRanges, version } = describe(response);
    if (size !== file.size || version !== file.version) throw sourceChanged();
    if (hasRanges && !response.headers["content-range"]?.startsWith(`bytes ${span.from}-`)) {
      throw refusedSource("the server sends another range than the one that was requested.");
    }
    yield* cut(chunksOf(response), hasRanges ? { from: 0, to: span.to - span.from } : span);
  } finally {
    response.close();
  }
}

/** A span of a body. Throws if the body ends before it. */
async function* cut(chunks: AsyncIterable<Uint8Array>, { from, to }: Span): AsyncGenerator<Uint8Array> {
  let position = 0;
  for await (const chunk of chunks) {
    const part = chunk.subarray(Math.max(0, from - position), Math.max(0, to - position));
    position += chunk.length;
    if (part.length > 0) yield part;
    if (position >= to) return;
  }
  if (position < to) throw unreadableSource("the connection ended before the end of the file.");
}

async function* chunksOf({ body }: GuardedResponse): AsyncGenerator<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = body[Symbol.asyncIterator]();
  const tooSlow = () => unreadableSource(`the server sent less than ${WINDOW_BYTES} bytes in ${WINDOW_MS / 1000} s.`);
  for (let [waitedMs, bytes] = [0, 0]; ; ) {
    const start = performance.now();
    const next = await withTimeout(WINDOW_MS - waitedMs, nextOf(chunks), tooSlow);
    if (next.done) return;
    waitedMs += performance.now() - start;
    bytes += next.value.length;
    if (bytes >= WINDOW_BYTES) [waitedMs, bytes] = [0, 0];
    yield next.value;
  }
}

async function nextOf(chunks: AsyncIterator<Uint8Array>): Promise<IteratorResult<Uint8Array>> {
  try {
    return await chunks.next();
  } catch (cause) {
    throw unreadableSource("the connection failed before the end of the file.", cause);
  }
}
