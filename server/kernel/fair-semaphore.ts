import { SharedAmount } from "./shared-amount";
import { TurnOrder } from "./turn-order";

/** Gives a place back; further calls do nothing. */
export type Release = () => void;

type Waiter = (release: Release) => void;

/**
 * A semaphore whose places are shared among keys by the rule of `SharedAmount`: with `ofFree` 1, one key alone gets half of
 * them, two get a third each, and the next key finds a free place. Of those that wait, the key that holds the fewest places
 * comes first, then the one whose turn was longest ago, and then the one that has waited for longest.
 */
export class FairSemaphore {
  readonly #places: SharedAmount;
  readonly #ofFree: number;
  /** In the order in which their first one came. */
  readonly #waiting = new Map<string, Waiter[]>();
  readonly #order = new TurnOrder();

  constructor(places: number, ofFree = 1) {
    this.#places = new SharedAmount(places);
    this.#ofFree = ofFree;
  }

  /** How many of a key wait. */
  waitingOf(key: string): number {
    return this.#waiting.get(key)?.length ?? 0;
  }

  /** A place; undefined if this key cannot have one now. */
  tryTake(key: string): Release | undefined {
    const holders = [{ key, ofFree: this.#ofFree }];
    if (!this.#places.take(holders, 1)) return undefined;
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.#places.release(holders, 1);
      if (this.#waiting.size === 0) return;
      this.#order.note(key);
      while (this.#serveNext());
    };
  }

  /** A place, when it is this key's turn. Rejects with the reason of `signal`. */
  async take(key: string, signal?: AbortSignal): Promise<Release> {
    signal?.throwIfAborted();
    const release = this.tryTake(key);
    if (release) return release;
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#remove(key, come);
        reject(signal?.reason);
      };
      const come: Waiter = (given) => {
        signal?.removeEventListener("abort", leave);
        resolve(given);
      };
      signal?.addEventListener("abort", leave, { once: true });
      this.#waiting.set(key, [...(this.#waiting.get(key) ?? []), come]);
    });
  }

  /** The result of `task`, which runs when it is this key's turn. */
  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const release = await this.take(key);
    try {
      return await task();
    } finally {
      release();
    }
  }

  /** Gives a free place to the key whose turn it is; false if none can have one. */
  #serveNext(): boolean {
    // Sorting is stable.
    const keys = this.#order.sort([...this.#waiting.keys()], (key) => key);
    for (const key of keys.sort((a, b) => this.#places.heldBy(a) - this.#places.heldBy(b))) {
      const [first] = this.#waiting.get(key) ?? [];
      const release = first && this.tryTake(key);
      if (!release) continue;
      this.#remove(key, first);
      first(release);
      return true;
    }
    return false;
  }

  #remove(key: string, waiter: Waiter): void {
    const left = (this.#waiting.get(key) ?? []).filter((one) => one !== waiter);
    if (left.length > 0) this.#waiting.set(key, left);
    else this.#waiting.delete(key);
  }
}
