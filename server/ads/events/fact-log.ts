import type { Wal } from "../../engines/wal/wal";
import type { FactRow, FactTable } from "./fact-rows";

/** A click that was answered while Postgres was away: replay claims it under the id that the visitor already carries. */
export interface PendingClick {
  offer_id: string;
  click_id: string;
  at: number;
}

/** What a line of the write-ahead file begins with: the table of the row that follows, or a click that waits for Postgres. */
export const PENDING_CLICK = "P";
const MARK_BY_TABLE: Record<FactTable, string> = {
  requests: "R",
  offers: "O",
  impressions: "I",
  clicks: "C",
  conversions: "V",
};
export const TABLE_BY_MARK = new Map(Object.entries(MARK_BY_TABLE).map(([table, mark]) => [mark, table as FactTable]));

/** Durable facts that wait for ClickHouse in this process's write-ahead file; rows stand in it just as they will be sent. */
export class FactLog {
  readonly #wal: Pick<Wal, "append">;

  constructor(wal: Pick<Wal, "append">) {
    this.#wal = wal;
  }

  /** Resolves when the rows survive power loss. Throws `unavailable` when the disk is full or too much waits. */
  async appendRows(rows: readonly [FactTable, FactRow][]): Promise<void> {
    await Promise.all(rows.map(([table, row]) => this.#wal.append(MARK_BY_TABLE[table] + JSON.stringify(row))));
  }

  appendClick(click: PendingClick): Promise<void> {
    return this.#wal.append(PENDING_CLICK + JSON.stringify(click));
  }
}
