import { LRUCache } from "lru-cache";
import type { Pool } from "pg";
import type { Counters } from "../../engines/counters/counters";
import { enforceRate } from "../../engines/counters/fail-open";
import { unavailableOnConnectionError } from "../../engines/postgres/connection-error";
import type { Clock } from "../../kernel/clock";
import { GroupCommit } from "../../kernel/group-commit";
import { REMEMBERED_SIGNALS_BYTES_MAX, SIGNAL_LIFE_MS, SIGNALS_RECALLED_MAX, STORED_SIGNALS_RATE } from "../limits";
import { type Signal, signalBytes } from "./signal";
import { deleteSignals, insertSignals, loadSignals, type SignalRow } from "./signals.sql";
import type { DatedSignal } from "./steering-signals";

/** The assumed size of a key without signals, which also needs memory. */
const KEY_BYTES = 200;
/** If a notification from another process is lost, its signals take effect here after this time at the latest. */
const STALE_AFTER_MS = 10_000;
const TOPIC = "signals";

type Remembered = readonly { signal: Signal; at: number }[];

/**
 * Recent signals of users and sessions: stored in Postgres, read through a cache, with notifications to other
 * processes.
 */
export class SignalMemory {
  readonly #keys = new LRUCache<string, Remembered>({
    maxSize: REMEMBERED_SIGNALS_BYTES_MAX,
    sizeCalculation: (remembered) => remembered.reduce((bytes, { signal }) => bytes + signalBytes(signal), KEY_BYTES),
    ttl: STALE_AFTER_MS,
  });
  /** Keys that are being read; if one is evicted meanwhile, the result is not cached. */
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
        await insertSignals(sql, rows, SIGNALS_RECALLED_MAX);
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

  /** Subscribes to notifications from other processes. */
  async listen(): Promise<void> {
    this.#unsubscribe = await this.#counters.subscribe(TOPIC, (key) => this.#forget(key));
  }

  /**
   * Resolves when the signals are durable; every later recall of these keys includes them. Throws `rate_limited`,
   * without storing any, if the tenant exceeds `STORED_SIGNALS_RATE`, and `unavailable` if Postgres is unavailable.
   */
  async remember(tenantId: string, keys: readonly string[], signals: readonly Signal[]): Promise<void> {
    const at = this.#clock.now().getTime();
    await this.#withinStoredBytes(tenantId, keys.length * signals.reduce((sum, one) => sum + signalBytes(one), 0));
    try {
      const rows = keys.flatMap((subjectKey) => signals.map((signal) => ({ tenantId, subjectKey, at, signal })));
      await Promise.all(rows.map((row) => this.#inserts.add(row)));
    } catch (failure) {
      throw unavailableOnConnectionError(failure);
    }
    this.#forgetEverywhere(keys);
  }

  /** Deletes all signals of these keys. Throws `unavailable` if Postgres is unavailable. */
  async erase(tenantId: string, keys: readonly string[]): Promise<void> {
    try {
      // Signals that were accepted before this call must not be written after it.
      await this.#inserts.drain();
      await deleteSignals(this.#sql, tenantId, keys);
    } catch (failure) {
      throw unavailableOnConnectionError(failure);
    }
    this.#forgetEverywhere(keys);
  }

  /**
   * The stored signals of some keys, with their age. If Postgres is unavailable, returns none, so that offers are still
   * served.
   */
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

  async #withinStoredBytes(tenantId: string, bytes: number): Promise<void> {
    const take = { key: `signals:${tenantId}`, rate: STORED_SIGNALS_RATE, cost: bytes };
    await enforceRate(this.#counters, take, "This tenant stores too many signals; send fewer or smaller ones.");
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

  /**
   * Notifies other processes. Without this, their caches would expire only after STALE_AFTER_MS, which is also the cost
   * of a lost notification.
   */
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
