import type { Pool } from "pg";
import type { Logger } from "pino";
import { type InsertParts, insertRows } from "../../../engines/clickhouse/insert-rows";
import type { PrismaClient } from "../../../engines/postgres/generated/client";
import { whileShipping } from "../../../engines/postgres/shipping-lock";
import type { Wal } from "../../../engines/wal/wal";
import { groupedBy } from "../../../kernel/grouped";
import { type Repeating, repeat } from "../../../kernel/repeat";
import { RESOURCES_TABLE, TABLES } from "./telemetry";
import { parseLine, type TelemetryLine } from "./telemetry-line";
import type { TelemetryLog } from "./telemetry-log";

const EVERY_MS = 200;
const SLICE_BYTES_MAX = 4 << 20;

export interface ShipTelemetry extends InsertParts {
  wal: Pick<Wal, "take" | "waitingBytes">;
  sql: Pool;
  db: PrismaClient;
  log: Logger;
  telemetryLog: TelemetryLog;
}

/**
 * Sends a write-ahead file to ClickHouse, slice by slice, in the background until `stop`. A slice is sent with its token until
 * ClickHouse accepts it and only then acknowledged, so after a crash the same rows are sent again with the same token.
 */
export const shipTelemetry = (parts: ShipTelemetry): Repeating =>
  repeat({ everyMs: EVERY_MS, log: parts.log, purpose: "send telemetry to ClickHouse" }, async () => {
    if (parts.wal.waitingBytes === 0) return false;
    return whileShipping(parts.sql, () => shipSlice(parts));
  });

async function shipSlice(parts: ShipTelemetry): Promise<boolean> {
  const slice = await parts.wal.take(SLICE_BYTES_MAX);
  if (!slice) return false;
  try {
    const lines = slice.lines.flatMap((line) => parseLine(line) ?? []);
    const kept = await ofStores(parts, lines);
    const insert = async (table: string, rows: readonly string[]) => {
      if (rows.length > 0) await insertRows(parts, { table, rows: rows.join("\n"), token: `${slice.token}:${table}` });
    };
    // Before the records, which name them.
    await insert(RESOURCES_TABLE, [...new Set(kept.flatMap(({ resources }) => resources))]);
    for (const [signal, ofSignal] of groupedBy(kept, (line) => line.signal))
      await insert(
        TABLES[signal],
        ofSignal.flatMap(({ rows }) => rows),
      );
    await slice.ack();
    parts.telemetryLog.shipped(lines);
  } catch (failure) {
    slice.giveBack();
    throw failure;
  }
  return true;
}

/** Records of stores that are deleted meanwhile are dropped, so that nothing is left of them. */
async function ofStores({ db }: ShipTelemetry, lines: readonly TelemetryLine[]): Promise<TelemetryLine[]> {
  const ids = [...new Set(lines.map(({ rid }) => rid))];
  const stores = await db.telemetryStore.findMany({ where: { id: { in: ids }, removingSince: null } });
  const known = new Set(stores.map(({ id }) => id));
  return lines.filter(({ rid }) => known.has(rid));
}
