import { randomUUID } from "node:crypto";
import type { Clock } from "../../kernel/clock";
import { type CountedKey, NO_REQUESTS, type StatusClass, type Sums, statusClassOf } from "./request-count";

/** Requests of one key in one hour of UTC. */
export interface CountedHour extends CountedKey {
  hourMs: number;
  sums: Sums;
}

export interface CountedBatch {
  /** The same whenever the batch is sent, so that ClickHouse stores it once. */
  token: string;
  hours: readonly CountedHour[];
}

const HOUR_MS = 3_600_000;
/** About 10 MB. Only keys that exist are counted, so an attacker cannot fill it. */
const HOURS_MAX = 20_000;

interface CounterOptions {
  /** How many keys, and how many hours of keys, are kept in memory; further requests are not counted. */
  hoursMax?: number;
}

/**
 * Counts responses by key, hour and status class in memory. Batches are stored one after the other: as long as the
 * current one is not stored, `take` returns it again, unchanged, and new counts gather for the next one.
 */
export class RequestCounter {
  /** The counts since the last `take`, by key. */
  readonly #current = new Map<string, CountedHour>();
  /** Earlier counts that are in no batch yet, by key and hour. */
  readonly #gathered = new Map<string, CountedHour>();
  readonly #clock: Clock;
  readonly #hoursMax: number;
  readonly #process = randomUUID();
  #batch: CountedBatch | undefined;
  #batches = 0;
  #lost = 0;

  constructor(clock: Clock, { hoursMax = HOURS_MAX }: CounterOptions = {}) {
    this.#clock = clock;
    this.#hoursMax = hoursMax;
  }

  /** Requests that were not counted because the memory for it was full. */
  get lost(): number {
    return this.#lost;
  }

  /**
   * Counts a response to a key that `add` was called for since the last `take`; otherwise returns false. It allocates
   * nothing: it runs in every request.
   */
  count(keyId: string, status: number): boolean {
    const known = this.#current.get(keyId);
    if (known === undefined) return false;
    known.sums[statusClassOf(status)]++;
    return true;
  }

  /** Counts the first response to a key since the last `take`. */
  add(key: CountedKey, status: number): void {
    if (this.#current.size >= this.#hoursMax) {
      this.#lost++;
      return;
    }
    const hourMs = Math.floor(this.#clock.now().getTime() / HOUR_MS) * HOUR_MS;
    this.#current.set(key.keyId, { ...key, hourMs, sums: { ...NO_REQUESTS } });
    this.count(key.keyId, status);
  }

  /**
   * Returns the batch to store, undefined if there are no counts. Call `stored` once it is stored. Call it every few
   * seconds even while that fails, because the counts of a key since the last call belong to the hour of the first one.
   */
  take(): CountedBatch | undefined {
    for (const hour of this.#current.values()) this.#gather(hour);
    this.#current.clear();
    if (!this.#batch && this.#gathered.size > 0) {
      this.#batch = { token: `key_requests:${this.#process}:${++this.#batches}`, hours: [...this.#gathered.values()] };
      this.#gathered.clear();
    }
    return this.#batch;
  }

  stored(batch: CountedBatch): void {
    if (this.#batch === batch) this.#batch = undefined;
  }

  #gather(hour: CountedHour): void {
    const name = `${hour.keyId} ${hour.hourMs}`;
    const known = this.#gathered.get(name);
    if (known) addSums(known.sums, hour.sums);
    else if (this.#gathered.size < this.#hoursMax) this.#gathered.set(name, hour);
    else this.#lost += Object.values(hour.sums).reduce((all, one) => all + one, 0);
  }
}

export function addSums(to: Sums, more: Sums): void {
  for (const name of Object.keys(to) as StatusClass[]) to[name] += more[name];
}
