/** Gives a place back; further calls do nothing. */
export type Release = () => void;

interface Waiter {
  key: string;
  come: (release: Release) => void;
}

/**
 * A semaphore whose places are shared among keys: a key gets its first place whenever one is free, and a further one
 * only while more places are free than it holds. One key alone so gets half of them, two get a third each, and the next
 * key finds a free place (dynamic thresholds, Choudhury and Hahne 1998). Of those that wait, the key that holds the
 * fewest places comes first, and then the one that has waited for longest.
 */
export class FairSemaphore {
  readonly #held = new Map<string, number>();
  readonly #waiting = new Set<Waiter>();
  #free: number;

  constructor(places: number) {
    this.#free = places;
  }

  /** A place; undefined if this key cannot have one now. */
  tryTake(key: string): Release | undefined {
    return this.#mayTake(key) ? this.#give(key) : undefined;
  }

  /** A place, when it is this key's turn. Rejects with the reason of `signal`. */
  async take(key: string, signal: AbortSignal): Promise<Release> {
    signal.throwIfAborted();
    const release = this.tryTake(key);
    if (release) return release;
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting.delete(waiter);
        reject(signal.reason);
      };
      const come = (given: Release) => {
        signal.removeEventListener("abort", leave);
        resolve(given);
      };
      const waiter: Waiter = { key, come };
      signal.addEventListener("abort", leave, { once: true });
      this.#waiting.add(waiter);
    });
  }

  #mayTake(key: string): boolean {
    return this.#free > 0 && this.#heldBy(key) < Math.max(1, this.#free);
  }

  #give(key: string): Release {
    this.#free--;
    this.#held.set(key, this.#heldBy(key) + 1);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.#takeBack(key);
    };
  }

  #takeBack(key: string): void {
    this.#free++;
    const held = this.#heldBy(key) - 1;
    if (held > 0) this.#held.set(key, held);
    else this.#held.delete(key);
    for (let next = this.#next(); next; next = this.#next()) {
      this.#waiting.delete(next);
      next.come(this.#give(next.key));
    }
  }

  /** Who waits and may take a place. */
  #next(): Waiter | undefined {
    let next: Waiter | undefined;
    for (const waiter of this.#waiting) {
      if (!this.#mayTake(waiter.key)) continue;
      if (!next || this.#heldBy(waiter.key) < this.#heldBy(next.key)) next = waiter;
    }
    return next;
  }

  #heldBy(key: string): number {
    return this.#held.get(key) ?? 0;
  }
}
