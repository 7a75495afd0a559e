import { withTimeout } from "../../kernel/with-timeout";
import { BrokenFeed } from "../products/feed-line";
import type { FetchLimits } from "./fetch-limits";

/** Enough to recognize a web page, which a server may send under any media type. */
const HEAD_LENGTH = 64;

export interface FetchedBytesLimits extends Pick<FetchLimits, "windowMs" | "bytesMin"> {
  sentBytesMax: number;
}

/**
 * The body of a response, read as fast as it is requested. Fails with BrokenFeed for a body that is too large, a web
 * page, a connection that breaks, and a server that sends less than `bytesMin` in `windowMs` of waiting for it: time that
 * the reader takes does not count.
 */
export function fetchedBytes(
  response: AsyncIterable<Uint8Array>,
  { windowMs, bytesMin, sentBytesMax }: FetchedBytesLimits,
): ReadableStream<Uint8Array> {
  const chunks = response[Symbol.asyncIterator]();
  let total = 0;
  let window = { waitedMs: 0, bytes: 0 };
  const tooSlow = () => stalled(bytesMin, windowMs);
  const nextChunk = async (): Promise<Uint8Array | undefined> => {
    const since = performance.now();
    const next = await withTimeout(windowMs - window.waitedMs, chunks.next().catch(interrupted), tooSlow);
    if (next.done) return undefined;
    window.waitedMs += performance.now() - since;
    window.bytes += next.value.length;
    if (window.bytes >= bytesMin) window = { waitedMs: 0, bytes: 0 };
    return next.value;
  };
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const chunk = await nextChunk();
        if (!chunk) return controller.close();
        if (total === 0 && isWebPage(chunk)) throw webPage();
        total += chunk.length;
        if (total > sentBytesMax) throw tooLarge(sentBytesMax);
        controller.enqueue(chunk);
      },
      cancel: () => void chunks.return?.().catch(() => undefined),
    },
    { highWaterMark: 0 },
  );
}

const isWebPage = (chunk: Uint8Array): boolean =>
  /^(\u{feff})?\s*<(!doctype html|html)\b/iu.test(
    new TextDecoder("utf-8", { ignoreBOM: true }).decode(chunk.subarray(0, HEAD_LENGTH)),
  );

const webPage = () => new BrokenFeed("not_a_feed", "The URL returns a web page (HTML) instead of a product feed.");

const tooLarge = (bytes: number) => new BrokenFeed("upload_too_large", `A feed may have at most ${bytes} bytes.`);

const stalled = (bytes: number, ms: number) =>
  new BrokenFeed("stalled", `The server sent less than ${bytes} bytes of the feed in ${ms / 1000} seconds.`);

function interrupted(): never {
  throw new BrokenFeed("interrupted", "The connection broke before the end of the feed.");
}
