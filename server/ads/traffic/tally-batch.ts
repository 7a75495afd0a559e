import type { Counters, Tally } from "../../engines/counters/counters";
import { failOpen } from "../../engines/counters/fail-open";

/** Counts several events in one operation; each event gets its position among all events under the same key. */
export class TallyBatch {
  readonly #tallies = new Map<string, Tally>();
  #totals = new Map<string, number>();

  /** Counts one more event under `key`; returns its number within this batch, from 1. */
  add(key: string, lifeMs: number): number {
    const tally = this.#tallies.get(key) ?? { key, by: 0, lifeMs };
    this.#tallies.set(key, { ...tally, by: tally.by + 1 });
    return tally.by + 1;
  }

  read(key: string): void {
    if (!this.#tallies.has(key)) this.#tallies.set(key, { key, by: 0, lifeMs: 1 });
  }

  /** Counts everything, in `spare` if the counters are unavailable. */
  async count(counters: Counters, spare: Counters): Promise<void> {
    const tallies = [...this.#tallies.values()];
    const totals = (await failOpen(counters.count(tallies))) ?? (await spare.count(tallies));
    this.#totals = new Map(tallies.map(({ key }, i) => [key, totals[i] ?? 0]));
  }

  total(key: string): number {
    return this.#totals.get(key) ?? 0;
  }

  /** The position, from 1, of this batch's event with that number. */
  place(key: string, number: number): number {
    return this.total(key) - (this.#tallies.get(key)?.by ?? 0) + number;
  }
}
