import { LRUCache } from "lru-cache";
import type { Clock } from "./clock";

interface ReadThroughParts<V> {
  clock: Clock;
  /** The current value in the source; undefined for a key that does not exist. */
  read: (key: string) => Promise<V | undefined>;
  freshMs: number;
  /** How many known keys are cached, and separately as many unknown ones: guessing does not evict real keys. */
  max: number;
}

interface Reading<V> {
  answer: Promise<V | undefined>;
  isStale: boolean;
}

/**
 * Caches results of `read` for `freshMs`, counted from before the read. A read that is in progress when its key is
 * forgotten is neither cached nor returned, but repeated.
 */
export class ReadThrough<V> {
  readonly #parts: ReadThroughParts<V>;
  readonly #known: LRUCache<string, { value: V; untilMs: number }>;
  readonly #unknownUntilMs: LRUCache<string, number>;
  readonly #readings = new Map<string, Reading<V>>();

  constructor(parts: ReadThroughParts<V>) {
    this.#parts = parts;
    this.#known = new LRUCache({ max: parts.max });
    this.#unknownUntilMs = new LRUCache({ max: parts.max });
  }

  async find(key: string): Promise<V | undefined> {
    const nowMs = this.#parts.clock.now().getTime();
    const known = this.#known.get(key);
    if (known && nowMs < known.untilMs) return known.value;
    if (nowMs < (this.#unknownUntilMs.get(key) ?? 0)) return undefined;
    return (this.#readings.get(key) ?? this.#begin(key)).answer;
  }

  /** Removes a key whose cached value is no longer valid. */
  forget(key: string): void {
    this.#known.delete(key);
    this.#unknownUntilMs.delete(key);
    const reading = this.#readings.get(key);
    if (reading) reading.isStale = true;
  }

  /** Like `forget`, for every matching key. */
  forgetWhere(isConcerned: (key: string) => boolean): void {
    const keys = [...this.#known.keys(), ...this.#unknownUntilMs.keys(), ...this.#readings.keys()];
    for (const key of keys) if (isConcerned(key)) this.forget(key);
  }

  #begin(key: string): Reading<V> {
    const reading: Reading<V> = { answer: Promise.resolve(undefined), isStale: false };
    reading.answer = this.#read(key, reading).finally(() => this.#readings.delete(key));
    this.#readings.set(key, reading);
    return reading;
  }

  async #read(key: string, reading: Reading<V>): Promise<V | undefined> {
    const { clock, read, freshMs } = this.#parts;
    for (;;) {
      reading.isStale = false;
      // The result may be as old as the start of the read when it arrives.
      const untilMs = clock.now().getTime() + freshMs;
      const value = await read(key);
      if (reading.isStale) continue;
      this.#keep(key, value, untilMs);
      return value;
    }
  }

  #keep(key: string, value: V | undefined, untilMs: number): void {
    if (value !== undefined) {
      this.#known.set(key, { value, untilMs });
      return;
    }
    this.#known.delete(key);
    this.#unknownUntilMs.set(key, untilMs);
  }
}
