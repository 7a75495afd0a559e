/**
 * An amount, such as bytes of a disk, that is shared among keys by the rule of FairSemaphore: a key holds at most as
 * much as it leaves free.
 */
export class FairBudget {
  readonly #held = new Map<string, number>();
  #free: number;

  constructor(total: number) {
    this.#free = total;
  }

  /** Whether the key has got so much more. */
  tryTake(key: string, amount: number): boolean {
    const held = this.#heldBy(key) + amount;
    if (held > this.#free - amount) return false;
    this.#free -= amount;
    this.#held.set(key, held);
    return true;
  }

  /** Returns a part of what the key has taken. */
  giveBack(key: string, amount: number): void {
    const held = this.#heldBy(key) - amount;
    this.#free += amount;
    if (held > 0) this.#held.set(key, held);
    else this.#held.delete(key);
  }

  #heldBy(key: string): number {
    return this.#held.get(key) ?? 0;
  }
}
