import type { Logger } from "pino";
import type { Wal } from "../../engines/wal/wal";
import type { FactTable } from "./fact-rows";

/** Shares of the write-ahead file's size at which a warning is logged, once each until the file has drained. */
const WARN_AT = [0.5, 0.8];
const DRAINED = 0.25;

/**
 * The share of the write-ahead file's size from which on the rows of a table are dropped, least valuable first, so that
 * no request fails because ClickHouse is unavailable. All of these rows are analytics: data for billing and claims is
 * in Postgres and reaches ClickHouse through the outbox. A click that waits for Postgres is never dropped.
 *
 * - requests: how often a channel requested offers, and why it got none
 * - impressions: those that do not count (robots, duplicates), by reason
 * - clicks: those that do not count, by reason
 * - offers: how often a campaign was served, the base of rates in reports
 */
const SHED_FROM: Partial<Record<FactTable, number>> = { requests: 0.7, impressions: 0.8, clicks: 0.85, offers: 0.9 };
const SHED_ORDER = Object.entries(SHED_FROM) as [FactTable, number][];
/** The share at which the first facts are dropped. */
export const FACTS_SHED_FROM = Math.min(...SHED_ORDER.map(([, from]) => from));
/** A table is stored again this far below its share; otherwise every acknowledged slice would log twice. */
const HYSTERESIS = 0.1;

/** Decides which facts are dropped while the write-ahead file fills up, and logs and counts them. */
export class FactPressure {
  /** Rows that were dropped since the start, by table. */
  readonly shed = new Map<FactTable, number>();
  readonly #wal: Pick<Wal, "fill">;
  readonly #log: Logger;
  /** The tables that are currently dropped, each with its `shed` count at the start. */
  readonly #shedding = new Map<FactTable, number>();
  #warnings = 0;

  constructor(wal: Pick<Wal, "fill">, log: Logger) {
    this.#wal = wal;
    this.#log = log;
  }

  /** The tables whose rows must be dropped now; usually none. */
  look(): ReadonlyMap<FactTable, number> {
    const { fill } = this.#wal;
    this.#warn(fill);
    if (fill >= FACTS_SHED_FROM || this.#shedding.size > 0) {
      for (const [table, from] of SHED_ORDER) this.#switch(table, from, fill);
    }
    return this.#shedding;
  }

  isSheddable(table: FactTable): boolean {
    return SHED_FROM[table] !== undefined;
  }

  note(table: FactTable): void {
    this.shed.set(table, (this.shed.get(table) ?? 0) + 1);
  }

  #warn(fill: number): void {
    if (fill < DRAINED) this.#warnings = 0;
    const reached = WARN_AT.filter((share) => fill >= share).length;
    if (reached <= this.#warnings) return;
    this.#warnings = reached;
    const percent = Math.floor(fill * 100);
    this.#log.warn({ percent }, `${percent} % of the write-ahead file is used by facts that wait for ClickHouse`);
  }

  #switch(table: FactTable, from: number, fill: number): void {
    const before = this.#shedding.get(table);
    if (before === undefined && fill >= from) {
      this.#shedding.set(table, this.shed.get(table) ?? 0);
      this.#log.error({ table }, "the write-ahead file is nearly full: rows of this table are dropped");
    } else if (before !== undefined && fill < from - HYSTERESIS) {
      this.#shedding.delete(table);
      this.#log.warn({ table, dropped: (this.shed.get(table) ?? 0) - before }, "rows of this table are stored again");
    }
  }
}
