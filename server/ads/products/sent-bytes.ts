import { ServiceError } from "../../kernel/errors";
import { inTime } from "../../kernel/limit-body";
import type { FeedLimits } from "./feed-limits";
import { BrokenFeed } from "./feed-line";

/** The body of an upload, read in chunks on demand. */
export class SentBytes {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #limits: Pick<FeedLimits, "sentBytesMax" | "idleMs">;
  #total = 0;

  constructor(body: ReadableStream<Uint8Array>, limits: Pick<FeedLimits, "sentBytesMax" | "idleMs">) {
    this.#reader = body.getReader();
    this.#limits = limits;
  }

  /**
   * Returns the next chunk as a copy that can be transferred to another thread; undefined at the end. Throws BrokenFeed
   * if the body is too large, stalls or is interrupted, and passes on a BrokenFeed of the body and errors with which the
   * HTTP layer rejects it.
   */
  async next(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const { sentBytesMax, idleMs } = this.#limits;
    const { done, value } = await inTime(this.#reader.read(), idleMs).catch(breakFor);
    if (done) return undefined;
    this.#total += value.length;
    if (this.#total > sentBytesMax) {
      throw new BrokenFeed("upload_too_large", `The request body may have at most ${sentBytesMax} bytes.`);
    }
    return new Uint8Array(value);
  }

  /** Stops reading. */
  async cancel(): Promise<void> {
    await this.#reader.cancel().catch(() => undefined);
  }
}

function breakFor(cause: unknown): never {
  if (cause instanceof BrokenFeed) throw cause;
  if (!(cause instanceof ServiceError)) throw interrupted();
  if (cause.details?.reason === "stalled") throw new BrokenFeed("stalled", cause.message);
  throw cause;
}

/** An interrupted connection is the client's failure, not the server's. */
export const interrupted = () =>
  new BrokenFeed("interrupted", "The request body ended before it was complete, or the client disconnected.");
