const SWEPT_PER_WRITE = 4;

/**
 * A map whose values expire. Each write also checks a few other entries and removes the expired ones, so memory use
 * follows the live entries without a timer and without a pause: a full round takes at most a quarter as many writes as
 * there are keys.
 */
export class ExpiringMap<V> {
  readonly #values = new Map<string, V>();
  readonly #expired: (value: V, now: number) => boolean;
  #round: IterableIterator<[string, V]> = this.#values.entries();

  constructor(expired: (value: V, now: number) => boolean) {
    this.#expired = expired;
  }

  get size(): number {
    return this.#values.size;
  }

  /** The stored value; the caller decides whether it still counts. */
  get(key: string): V | undefined {
    return this.#values.get(key);
  }

  set(key: string, value: V, now: number): void {
    this.#values.set(key, value);
    this.#sweep(now);
  }

  delete(key: string): void {
    this.#values.delete(key);
  }

  clear(): void {
    this.#values.clear();
  }

  #sweep(now: number): void {
    for (let i = 0; i < SWEPT_PER_WRITE; i++) {
      const next = this.#round.next();
      if (next.done) {
        this.#round = this.#values.entries();
        return;
      }
      const [key, value] = next.value;
      if (this.#expired(value, now)) this.#values.delete(key);
    }
  }
}
