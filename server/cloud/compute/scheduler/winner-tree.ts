/** The key of a slot that holds nothing. */
export const NO_KEY = -0x8000_0000;

/** Keys by slot, and the first slot with the highest key, in O(log n) a change: a tournament tree. */
export class WinnerTree {
  readonly #keys: Int32Array;
  readonly #leaves: number;

  constructor(readonly slots: number) {
    this.#leaves = 2 ** Math.ceil(Math.log2(Math.max(1, slots)));
    this.#keys = new Int32Array(2 * this.#leaves).fill(NO_KEY);
  }

  /** The highest key, NO_KEY if there is none. */
  get highest(): number {
    return this.#keys[1] as number;
  }

  /** The lowest slot that has the highest key. */
  get first(): number {
    const keys = this.#keys;
    const highest = keys[1] as number;
    let at = 1;
    while (at < this.#leaves) {
      at *= 2;
      if (keys[at] !== highest) at++;
    }
    return at - this.#leaves;
  }

  /** Sets a key without updating the highest: call `build` after a series of these. */
  put(slot: number, key: number): void {
    this.#keys[this.#leaves + slot] = key;
  }

  build(): void {
    const keys = this.#keys;
    for (let at = this.#leaves - 1; at > 0; at--) {
      keys[at] = Math.max(keys[2 * at] as number, keys[2 * at + 1] as number);
    }
  }

  set(slot: number, key: number): void {
    const keys = this.#keys;
    let at = this.#leaves + slot;
    keys[at] = key;
    while (at > 1) {
      at >>= 1;
      const higher = Math.max(keys[2 * at] as number, keys[2 * at + 1] as number);
      if (keys[at] === higher) return;
      keys[at] = higher;
    }
  }
}
