import type { Logger } from "pino";
import { RecordTypes } from "../../engines/wal/record-types";
import type { Wal } from "../../engines/wal/wal";
import { ServiceError } from "../../kernel/errors";
import { FactPressure } from "./fact-pressure";
import type { FactRow, FactTable } from "./fact-rows";

/**
 * A click that was accepted while Postgres was unavailable; replay claims it with the id that the visitor already has.
 */
export interface PendingClick {
  offer_id: string;
  click_id: string;
  at: number;
}

/** A record is the row of a table, or a click that waits for Postgres. */
export const FACT_RECORDS = new RecordTypes<FactTable | "pending_click">({
  requests: "R",
  offers: "O",
  impressions: "I",
  clicks: "C",
  conversions: "V",
  pending_click: "P",
});

/** Durable facts that wait for ClickHouse in this process's write-ahead file, stored as they will be sent. */
export class FactLog {
  readonly #wal: Pick<Wal, "append" | "fill">;
  readonly #pressure: FactPressure;

  constructor(wal: Pick<Wal, "append" | "fill">, log: Logger) {
    this.#wal = wal;
    this.#pressure = new FactPressure(wal, log);
  }

  /** Rows that were dropped since the start because the file was nearly full, by table. */
  get shed(): ReadonlyMap<FactTable, number> {
    return this.#pressure.shed;
  }

  /**
   * Resolves when the rows are durable, or are dropped because too many facts wait (fact-pressure.ts). Throws
   * `unavailable` if the disk write fails.
   */
  async appendRows(rows: readonly [FactTable, FactRow][]): Promise<void> {
    const shedding = this.#pressure.look();
    await Promise.all(
      rows.map(([table, row]) => (shedding.has(table) ? this.#pressure.note(table) : this.#append(table, row))),
    );
  }

  async #append(table: FactTable, row: FactRow): Promise<void> {
    try {
      await this.#wal.append(FACT_RECORDS.lineOf(table, JSON.stringify(row)));
    } catch (failure) {
      if (!isBackPressure(failure) || !this.#pressure.isSheddable(table)) throw failure;
      this.#pressure.note(table);
    }
  }

  /** Never dropped; throws `unavailable` if the file is full. */
  appendClick(click: PendingClick): Promise<void> {
    return this.#wal.append(FACT_RECORDS.lineOf("pending_click", JSON.stringify(click)));
  }
}

const isBackPressure = (failure: unknown): boolean =>
  failure instanceof ServiceError && failure.details?.reason === "back_pressure";
