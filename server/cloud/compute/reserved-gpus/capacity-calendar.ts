/** A part of a pool that is not free from one time to another, in milliseconds since 1970. */
export interface Block {
  from: number;
  to: number;
  count: number;
}

export interface EarliestStart {
  count: number;
  durationMs: number;
  /** The earliest and the latest start that is asked for. */
  notBefore: number;
  notAfter: number;
}

/**
 * How much of a pool is free over time: a sorted list of the times at which that changes. Blocks that overlap add up, so
 * a lost node is a block too. Adding and asking take time linear in the number of changes.
 */
export class CapacityCalendar {
  /** The times of changes, ascending; `#free[i]` applies from `#times[i]` to the next one. */
  readonly #times = [Number.NEGATIVE_INFINITY];
  readonly #free: number[];

  constructor(capacity: number, blocks: Iterable<Block> = []) {
    this.#free = [capacity];
    for (const block of blocks) this.add(block);
  }

  /** A block that ends before it begins changes nothing. */
  add({ from, to, count }: Block): void {
    if (to <= from) return;
    const [first, end] = [this.#split(from), this.#split(to)];
    for (let i = first; i < end; i++) this.#free[i] = this.#freeOf(i) - count;
  }

  remove({ count, ...when }: Block): void {
    this.add({ ...when, count: -count });
  }

  /** The least that is free at any time of the interval [from, to). */
  minFree(from: number, to: number): number {
    const first = this.#at(from);
    let least = this.#freeOf(first);
    for (let i = first + 1; i < this.#times.length && this.#timeOf(i) < to; i++)
      least = Math.min(least, this.#freeOf(i));
    return least;
  }

  /** The earliest start at which `count` are free for the whole duration; undefined if there is none until `notAfter`. */
  earliestStart({ count, durationMs, notBefore, notAfter }: EarliestStart): number | undefined {
    let start = notBefore;
    for (let i = this.#at(notBefore); i < this.#times.length && this.#timeOf(i) < start + durationMs; i++) {
      if (this.#freeOf(i) >= count) continue;
      start = this.#timeOf(i + 1);
      if (start > notAfter) return undefined;
    }
    return start;
  }

  /** What is free from `from` on, and every change until `to`. */
  steps(from: number, to: number): { at: number; free: number }[] {
    const first = this.#at(from);
    const steps = [{ at: from, free: this.#freeOf(first) }];
    for (let i = first + 1; i < this.#times.length && this.#timeOf(i) < to; i++) {
      if (this.#freeOf(i) !== steps.at(-1)?.free) steps.push({ at: this.#timeOf(i), free: this.#freeOf(i) });
    }
    return steps;
  }

  /** The place of the change that applies at a time. */
  #at(time: number): number {
    let [low, high] = [0, this.#times.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#timeOf(middle) <= time) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Makes a change begin at a time, and returns its place. */
  #split(time: number): number {
    const at = this.#at(time);
    if (this.#timeOf(at) === time) return at;
    this.#times.splice(at + 1, 0, time);
    this.#free.splice(at + 1, 0, this.#freeOf(at));
    return at + 1;
  }

  #timeOf(i: number): number {
    return this.#times[i] ?? Number.POSITIVE_INFINITY;
  }

  #freeOf(i: number): number {
    return this.#free[i] ?? 0;
  }
}
