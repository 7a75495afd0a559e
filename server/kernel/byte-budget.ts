import { ServiceError } from "./errors";
import { bodyMs, inTime, tooLarge } from "./limit-body";
import { type Holder, SharedAmount } from "./shared-amount";

/** Bodies up to this size have a part of the budget that no larger one can take. */
const SMALL_BYTES = 64 * 1024;
const SMALL_SHARE = 1 / 8;

const TOTAL_MS = 30_000;
/** Between two parts. */
const IDLE_MS = 5000;

export interface BodyOptions {
  bytesMax: number;
  /** Whose shares of the budget the body takes: a client address, or a tenant. */
  holders: readonly Holder[];
}

/** The bytes of one body in a budget. */
export interface BodyAccount {
  /** Counts more bytes; false if the budget, or the share of a holder, is used up. */
  grow(bytes: number): boolean;
  /** Ends the count. A second call does nothing. */
  release(): void;
}

/**
 * Limits what the bodies of requests take in memory together, and what one holder takes of that, so that nobody keeps out
 * the others.
 */
export class ByteBudget {
  readonly #small: SharedAmount;
  readonly #large: SharedAmount;
  readonly #waitMs: (bytes: number, sinceMs: number) => number;

  /** `max` in bytes; `waitMs`: how long the next part may take of a body of which so much arrived in so long. */
  constructor(max: number, waitMs = nextPartMs) {
    this.#small = new SharedAmount(max * SMALL_SHARE);
    this.#large = new SharedAmount(max * (1 - SMALL_SHARE));
    this.#waitMs = waitMs;
  }

  open(holders: readonly Holder[]): BodyAccount {
    let pool = this.#small;
    let counted = 0;
    return {
      grow: (bytes) => {
        const whole = counted + bytes;
        if (pool === this.#small && whole > SMALL_BYTES) {
          if (!this.#large.take(holders, whole)) return false;
          this.#small.release(holders, counted);
          pool = this.#large;
        } else if (!pool.take(holders, bytes)) return false;
        counted = whole;
        return true;
      },
      release: () => {
        pool.release(holders, counted);
        counted = 0;
      },
    };
  }

  /**
   * Reads a body and keeps its bytes counted during `use`. Throws `payload_too_large`, `unavailable` (reason
   * `bodies_full`) without the rest of the body if it finds no room, and `invalid_request` (reason `stalled`) if it
   * arrives too slowly.
   */
  async read<T>(
    body: AsyncIterable<Buffer>,
    { bytesMax, holders }: BodyOptions,
    use: (whole: Buffer) => Promise<T>,
  ): Promise<T> {
    const account = this.open(holders);
    const source = body[Symbol.asyncIterator]();
    const parts: Buffer[] = [];
    const beganAt = performance.now();
    let bytes = 0;
    try {
      for (;;) {
        const next = await inTime(source.next(), this.#waitMs(bytes, performance.now() - beganAt));
        if (next.done) break;
        bytes += next.value.length;
        if (bytes > bytesMax) throw tooLarge(bytesMax);
        if (!account.grow(next.value.length)) throw bodyMemoryExhausted();
        parts.push(next.value);
      }
      return await use(Buffer.concat(parts));
    } catch (failure) {
      // Not awaited: a source that stalls does not end.
      source.return?.().catch(() => undefined);
      throw failure;
    } finally {
      account.release();
    }
  }
}

const nextPartMs = (bytes: number, sinceMs: number): number =>
  Math.min(Math.max(bodyMs(bytes, TOTAL_MS) - sinceMs, 0), IDLE_MS);

/** The error for a request whose body finds no room at this time. */
export const bodyMemoryExhausted = (): ServiceError =>
  new ServiceError("unavailable", "Too many bodies of requests arrive at this time; retry shortly.", {
    retryAfterSeconds: 1,
    details: { reason: "bodies_full" },
  });
