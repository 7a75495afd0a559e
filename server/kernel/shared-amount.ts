/** Who takes a part of a shared amount. */
export interface Holder {
  key: string;
  /** It takes more only while it holds less than this many times of what is free. */
  ofFree: number;
}

/**
 * Divides an amount so that nobody can take all of it: each holder takes more only while it holds less than a fraction of
 * what is free. One alone gets `ofFree / (1 + ofFree)` of it, several get less each, and a new one finds some free
 * (dynamic thresholds: Choudhury and Hahne, IEEE/ACM Transactions on Networking 6 (2), 1998).
 */
export class SharedAmount {
  readonly #max: number;
  readonly #held = new Map<string, number>();
  #used = 0;

  constructor(max: number) {
    this.#max = max;
  }

  heldBy(key: string): number {
    return this.#held.get(key) ?? 0;
  }

  /** Takes an amount for all of the holders together; false, and nothing is taken, if one of them has its share. */
  take(holders: readonly Holder[], amount: number): boolean {
    const free = this.#max - this.#used;
    if (amount > free || holders.some(({ key, ofFree }) => this.heldBy(key) >= ofFree * free)) return false;
    this.#used += amount;
    for (const { key } of holders) this.#held.set(key, this.heldBy(key) + amount);
    return true;
  }

  release(holders: readonly Holder[], amount: number): void {
    this.#used -= amount;
    for (const { key } of holders) {
      const left = this.heldBy(key) - amount;
      if (left > 0) this.#held.set(key, left);
      else this.#held.delete(key);
    }
  }
}
