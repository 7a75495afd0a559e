import { ServiceError } from "./errors";

export interface GroupCommitOptions {
  /** At most this many items in one flush. */
  itemsMax: number;
  /** At most this many items waiting; one more is refused as `unavailable`. */
  waitingMax: number;
  /** Flushes that may run side by side (default 1). */
  flushesMax?: number;
}

interface Waiting<T, R> {
  item: T;
  resolve: (result: R) => void;
  reject: (cause: unknown) => void;
}

/**
 * Collects items that arrive while a flush runs and hands them over together: one transaction or one sync then
 * serves many callers. `flush` answers one result per item, in order; when it throws, each of its items fails.
 */
export class GroupCommit<T, R> {
  #waiting: Waiting<T, R>[] = [];
  #flushing = 0;
  #scheduled = false;
  readonly #flush: (items: T[]) => Promise<R[]>;
  readonly #options: Required<GroupCommitOptions>;

  constructor(flush: (items: T[]) => Promise<R[]>, options: GroupCommitOptions) {
    this.#flush = flush;
    this.#options = { flushesMax: 1, ...options };
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  add(item: T): Promise<R> {
    if (this.#waiting.length >= this.#options.waitingMax) {
      return Promise.reject(
        new ServiceError("unavailable", "The storage engine cannot keep up; retry shortly.", {
          retryAfterSeconds: 1,
          details: { reason: "back_pressure" },
        }),
      );
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      this.#schedule();
    });
  }

  /** Resolves when nothing is waiting or running. */
  async drain(): Promise<void> {
    while (this.#waiting.length > 0 || this.#flushing > 0) await new Promise((resolve) => setTimeout(resolve, 2));
  }

  /** Items of the same turn of the event loop join one flush. */
  #schedule(): void {
    if (this.#scheduled || this.#flushing >= this.#options.flushesMax) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      void this.#run();
    });
  }

  async #run(): Promise<void> {
    const group = this.#waiting.splice(0, this.#options.itemsMax);
    if (group.length === 0) return;
    this.#flushing++;
    if (this.#waiting.length > 0) this.#schedule();
    try {
      const results = await this.#flush(group.map(({ item }) => item));
      group.forEach(({ resolve }, i) => {
        resolve(results[i] as R);
      });
    } catch (cause) {
      for (const { reject } of group) reject(cause);
    } finally {
      this.#flushing--;
      this.#schedule();
    }
  }
}
