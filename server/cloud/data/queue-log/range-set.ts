import type { Runs } from "./runs";

/** A set of whole numbers as sorted ranges that do not touch each other. */
export class RangeSet {
  /** The first number of each range, and the one behind its last. */
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];

  has(n: number): boolean {
    return this.endOf(n) !== undefined;
  }

  /** The first number behind the range that contains `n`; undefined if none does. */
  endOf(n: number): number | undefined {
    const i = this.#firstEndingAfter(n);
    const start = this.#starts[i];
    return start !== undefined && start <= n ? this.#ends[i] : undefined;
  }

  /** Adds `from` to `to`, without `to`. */
  add(from: number, to: number): void {
    if (to <= from) return;
    const first = this.#firstEndingAfter(from - 1);
    let last = first;
    let [start, end] = [from, to];
    for (; last < this.#starts.length && (this.#starts[last] ?? 0) <= to; last++) {
      start = Math.min(start, this.#starts[last] ?? start);
      end = Math.max(end, this.#ends[last] ?? end);
    }
    this.#starts.splice(first, last - first, start);
    this.#ends.splice(first, last - first, end);
  }

  /** Removes the numbers below `n` and returns how many there were. */
  dropBelow(n: number): number {
    const kept = this.#firstEndingAfter(n);
    let dropped = 0;
    for (let i = 0; i < kept; i++) dropped += (this.#ends[i] ?? 0) - (this.#starts[i] ?? 0);
    this.#starts.splice(0, kept);
    this.#ends.splice(0, kept);
    const start = this.#starts[0];
    if (start === undefined || start >= n) return dropped;
    this.#starts[0] = n;
    return dropped + n - start;
  }

  toRuns(): Runs {
    return this.#starts.flatMap((start, i) => [start, (this.#ends[i] ?? start) - start]);
  }

  /** The index of the first range whose end is above `n`. */
  #firstEndingAfter(n: number): number {
    let [low, high] = [0, this.#ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#ends[middle] ?? 0) > n) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
