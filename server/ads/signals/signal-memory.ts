import { LRUCache } from "lru-cache";
import type { Pool } from "pg";
import type { Counters } from "../../engines/counters/counters";
import { unavailableIfAway } from "../../engines/postgres/is-away";
import type { Clock } from "../../kernel/clock";
import { GroupCommit } from "../../kernel/group-commit";
import { SIGNAL_LIFE_MS, SIGNALS_RECALLED_MAX } from "../limits";
import type { Signal } from "./signal";
import { deleteSignals, insertSignals, loadSignals, type SignalRow } from "./signals.sql";
import type { DatedSignal } from "./steering-signals";

const KEYS_MAX = 20_000;
/** Should a message of another process be lost, its signals steer here after this long at the latest. */
const STALE_AFTER_MS = 10_000;
const TOPIC = "signals";

type Remembered = readonly { signal: Signal; at: number }[];

/** What users and sessions have shown lately: kept in Postgres, read through memory, told to the other processes. */
export class SignalMemory {
  readonly #keys = new LRUCache<string, Remembered>({ max: KEYS_MAX, ttl: STALE_AFTER_MS });
  /** Keys that are being read; one that is forgotten meanwhile is not kept. */
  readonly #reading = new Map<string, symbol>();
  readonly #sql: Pool;
  readonly #clock: Clock;
  readonly #counters: Counters;
  readonly #inserts: GroupCommit<SignalRow, undefined>;
  readonly #loads: GroupCommit<string, Remembered>;
  #unsubscribe: (() => Promise<void>) | undefined;

  constructor({ sql, counters, clock }: { sql: Pool; counters: Counters; clock: Clock }) {
    this.#sql = sql;
    this.#clock = clock;
    this.#counters = counters;
    this.#inserts = new GroupCommit(
      async (rows: SignalRow[]): Promise<undefined[]> => {
        await insertSignals(sql, rows);
        return rows.map(() => undefined);
      },
      { itemsMax: 1000, waitingMax: 20_000 },
    );
    this.#loads = new GroupCommit(
      async (keys: string[]): Promise<Remembered[]> => {
        const sinceMs = clock.now().getTime() - SIGNAL_LIFE_MS;
        const found = await loadSignals(sql, { keys, sinceMs, each: SIGNALS_RECALLED_MAX });
        return keys.map((key) => found.get(key) ?? []);
      },
      { itemsMax: 1000, waitingMax: 20_000, flushesMax: 2 },
    );
  }

  /** Hears what other processes were told. */
  async listen(): Promise<void> {
    this.#unsubscribe = await this.#counters.subscribe(TOPIC, (key) => this.#forget(key));
  }

  /** Resolves when the signals are durable; from then on every recall of these keys has them. */
  async remember(tenantId: string, keys: readonly string[], signals: readonly Signal[]): Promise<void> {
    const at = this.#clock.now().getTime();
    try {
      const rows = keys.flatMap((subjectKey) => signals.map((signal) => ({ tenantId, subjectKey, at, signal })));
      await Promise.all(rows.map((row) => this.#inserts.add(row)));
    } catch (failure) {
      throw unavailableIfAway(failure);
    }
    this.#forgetEverywhere(keys);
  }

  /** Resolves when nothing about these keys is stored any more. Throws `unavailable` when Postgres is away. */
  async erase(tenantId: string, keys: readonly string[]): Promise<void> {
    try {
      // What was accepted before the call must not be written after it.
      await this.#inserts.drain();
      await deleteSignals(this.#sql, tenantId, keys);
    } catch (failure) {
      throw unavailableIfAway(failure);
    }
    this.#forgetEverywhere(keys);
  }

  /** What is remembered of some keys, with its age. With Postgres away nothing is recalled: offers go on without. */
  async recall(keys: readonly string[]): Promise<DatedSignal[]> {
    const now = this.#clock.now().getTime();
    const found = await Promise.all(keys.map((key) => this.#recallKey(key)));
    const dated = found.flat().map(({ signal, at }) => ({ signal, ageMs: now - at }));
    return dated.filter(({ ageMs }) => ageMs < SIGNAL_LIFE_MS);
  }

  async close(): Promise<void> {
    await this.#unsubscribe?.();
    await this.#inserts.drain();
  }

  async #recallKey(key: string): Promise<Remembered> {
    const known = this.#keys.get(key);
    if (known) return known;
    const reading = Symbol(key);
    this.#reading.set(key, reading);
    const loaded = await this.#loads.add(key).catch(() => undefined);
    if (this.#reading.get(key) === reading) {
      this.#reading.delete(key);
      if (loaded) this.#keys.set(key, loaded);
    }
    return loaded ?? [];
  }

  /** Another process would otherwise forget within STALE_AFTER_MS; a lost message costs no more than that. */
  #forgetEverywhere(keys: readonly string[]): void {
    for (const key of keys) {
      this.#forget(key);
      this.#counters.publish(TOPIC, key).catch(() => undefined);
    }
  }

  #forget(key: string): void {
    this.#keys.delete(key);
    this.#reading.delete(key);
  }
}
