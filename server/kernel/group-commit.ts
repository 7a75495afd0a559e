import { ServiceError } from "./errors";

export interface GroupCommitOptions<T = never> {
  /** At most this many items in one flush; with `weightOf`, items of at most this total weight, or one heavier item. */
  itemsMax: number;
  /** At most this many waiting items, or this waiting weight; further items are rejected as `unavailable`. */
  waitingMax: number;
  /** Flushes that may run concurrently (default 1). */
  flushesMax?: number | undefined;
  /** How much an item counts against `itemsMax` and `waitingMax` (default 1). */
  weightOf?: ((item: T) => number) | undefined;
}

interface Waiting<T, R> {
  item: T;
  resolve: (result: R) => void;
  reject: (cause: unknown) => void;
}

/**
 * Collects items that arrive while a flush runs and passes them on together: one transaction or one sync then serves
 * many callers. `flush` returns one result per item, in order; if it throws (or returns another number of results),
 * each item of that flush fails with the same error and the next flush goes on. Flushes start in the order of the
 * items; with `flushesMax` above 1 they may end in any order.
 */
export class GroupCommit<T, R> {
  #waiting: Waiting<T, R>[] = [];
  #flushing = 0;
  #scheduled = false;
  #closed = false;
  #idle: (() => void)[] = [];
  readonly #flush: (items: T[]) => Promise<R[]>;
  readonly #itemsMax: number;
  readonly #waitingMax: number;
  readonly #flushesMax: number;
  readonly #weightOf: ((item: T) => number) | undefined;
  #waitingWeight = 0;

  constructor(
    flush: (items: T[]) => Promise<R[]>,
    { itemsMax, waitingMax, flushesMax = 1, weightOf }: GroupCommitOptions<T>,
  ) {
    this.#flush = flush;
    this.#weightOf = weightOf;
    this.#itemsMax = itemsMax;
    this.#waitingMax = waitingMax;
    this.#flushesMax = flushesMax;
  }

  /** Items that are in no flush yet. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Resolves with the item's own result; `unavailable` if `waitingMax` items wait already, or after `close`. */
  add(item: T): Promise<R> {
    if (this.#closed) return Promise.reject(refusal("svc is shutting down; retry shortly.", "shutting_down"));
    if (this.#waitingWeight >= this.#waitingMax) {
      return Promise.reject(refusal("The storage engine cannot keep up; retry shortly.", "back_pressure"));
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      this.#waitingWeight += this.#weigh(item);
      this.#schedule();
    });
  }

  /** Resolves when nothing is waiting or running. */
  drain(): Promise<void> {
    if (this.#waiting.length === 0 && this.#flushing === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#idle.push(resolve);
    });
  }

  /** Rejects new items from now on and resolves when the accepted ones are done. */
  close(): Promise<void> {
    this.#closed = true;
    return this.drain();
  }

  /** Items of the same turn of the event loop join one flush. */
  #schedule(): void {
    if (this.#scheduled || this.#waiting.length === 0 || this.#flushing >= this.#flushesMax) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      void this.#run();
    });
  }

  async #run(): Promise<void> {
    const group = this.#takeGroup();
    this.#flushing++;
    this.#schedule();
    try {
      const results = await this.#flush(group.map(({ item }) => item));
      if (results.length !== group.length) {
        throw new Error(`A group of ${group.length} items was flushed with ${results.length} results.`);
      }
      for (const [i, result] of results.entries()) group[i]?.resolve(result);
    } catch (cause) {
      for (const { reject } of group) reject(cause);
    } finally {
      this.#flushing--;
      this.#schedule();
      if (this.#waiting.length === 0 && this.#flushing === 0) for (const idle of this.#idle.splice(0)) idle();
    }
  }

  #takeGroup(): Waiting<T, R>[] {
    if (this.#waitingWeight <= this.#itemsMax) {
      const group = this.#waiting;
      this.#waiting = [];
      this.#waitingWeight = 0;
      return group;
    }
    let [count, weight] = [0, 0];
    for (const { item } of this.#waiting) {
      const next = weight + this.#weigh(item);
      if (count > 0 && next > this.#itemsMax) break;
      count++;
      weight = next;
    }
    this.#waitingWeight -= weight;
    return this.#waiting.splice(0, count);
  }

  #weigh(item: T): number {
    return this.#weightOf?.(item) ?? 1;
  }
}

function refusal(message: string, reason: string): ServiceError {
  return new ServiceError("unavailable", message, { retryAfterSeconds: 1, details: { reason } });
}
