import type { Pool } from "pg";
import type { Logger } from "pino";
import { type Repeating, repeat } from "../../kernel/repeat";
import { isConnectionError } from "../postgres/connection-error";
import { whileShipping } from "../postgres/shipping-lock";
import type { WalSlice } from "../wal/deliveries";
import type { Wal } from "../wal/wal";
import { type InsertParts, insertRows } from "./insert-rows";

const SLICE_BYTES_MAX = 4 << 20;

export interface ShipRecords extends InsertParts {
  wal: Pick<Wal, "take" | "waitingBytes">;
  sql: Pool;
  log: Pick<Logger, "info" | "warn">;
  /** Completes "cannot …" in the log. */
  purpose: string;
  /**
   * Records gather for so long before a slice is sent, because a few large inserts cost ClickHouse far less than many
   * small ones.
   */
  gatherMs: number;
  /** While so many bytes wait after a slice, the next one is sent at once. */
  fullBytes: number;
  /**
   * The rows that become of a slice, as JSON, by table, in the order in which they are inserted. The same slice must
   * result in the same rows of a table, which are inserted once. Lines of no known type go to the dead-letter file.
   */
  rowsOf: (slice: WalSlice) => Promise<ReadonlyMap<string, readonly string[]>>;
  /** Called before the rows of a slice are inserted, and when all are. */
  beforeInsert?: (() => void) | undefined;
  afterInsert?: (() => void) | undefined;
  /** Called when a slice is acknowledged. */
  onShipped?: ((slice: WalSlice) => void) | undefined;
}

/**
 * Sends a write-ahead file to ClickHouse, slice by slice, in the background until `stop`. A slice is sent with its token
 * until ClickHouse accepts it and only then acknowledged, so after a crash the same rows are sent again with the same
 * token. Nothing is sent while a backup runs.
 */
export const shipRecords = (parts: ShipRecords): Repeating =>
  repeat(
    { everyMs: parts.gatherMs, log: parts.log, purpose: parts.purpose },
    async () => (await shipUnlessBackup(parts)) === true && parts.wal.waitingBytes >= parts.fullBytes,
    { atOnce: true },
  );

/**
 * Returns undefined while a backup runs. Without Postgres no backup can run, so what does not need it is sent anyway.
 */
async function shipUnlessBackup(parts: ShipRecords): Promise<boolean | undefined> {
  if (parts.wal.waitingBytes === 0) return false;
  let isAsked = false;
  try {
    return await whileShipping(parts.sql, () => {
      isAsked = true;
      return shipSlice(parts);
    });
  } catch (failure) {
    if (isAsked || !isConnectionError(failure)) throw failure;
    return shipSlice(parts);
  }
}

async function shipSlice(parts: ShipRecords): Promise<boolean> {
  const slice = await parts.wal.take(SLICE_BYTES_MAX);
  if (!slice) return false;
  try {
    const tables = await parts.rowsOf(slice);
    parts.beforeInsert?.();
    for (const [table, rows] of tables)
      if (rows.length > 0) await insertRows(parts, { table, rows: rows.join("\n"), token: `${slice.token}:${table}` });
    parts.afterInsert?.();
    await slice.ack();
    parts.onShipped?.(slice);
  } catch (failure) {
    slice.giveBack();
    throw failure;
  }
  return true;
}

/** Puts a line aside that has no known type. */
export const putAside = (
  { deadLetters }: Pick<ShipRecords, "deadLetters">,
  { slice, index, line }: { slice: WalSlice; index: number; line: string },
): Promise<void> =>
  deadLetters.add({
    table: "unknown",
    token: `${slice.token}:line${index}`,
    row: line,
    failure: new SyntaxError("The line has an unknown type."),
  });
