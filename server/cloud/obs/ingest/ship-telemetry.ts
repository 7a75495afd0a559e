import type { Pool } from "pg";
import type { Logger } from "pino";
import type { InsertParts } from "../../../engines/clickhouse/insert-rows";
import { putAside, shipRecords } from "../../../engines/clickhouse/ship-records";
import type { PrismaClient } from "../../../engines/postgres/generated/client";
import type { WalSlice } from "../../../engines/wal/deliveries";
import type { Wal } from "../../../engines/wal/wal";
import { groupedBy } from "../../../kernel/grouped";
import { RESOURCES_TABLE, TABLES } from "./telemetry";
import { parseLine, type TelemetryLine } from "./telemetry-line";
import type { TelemetryLog } from "./telemetry-log";

const GATHER_MS = 200;

export interface ShipTelemetry extends InsertParts {
  wal: Pick<Wal, "take" | "waitingBytes">;
  sql: Pool;
  db: PrismaClient;
  log: Logger;
  telemetryLog: TelemetryLog;
}

/** Sends a write-ahead file of telemetry to ClickHouse, in the background until `stop`. */
export const shipTelemetry = (parts: ShipTelemetry): { stop(): Promise<void> } =>
  shipRecords({
    ...parts,
    purpose: "send telemetry to ClickHouse",
    gatherMs: GATHER_MS,
    fullBytes: 1,
    rowsOf: (slice) => rowsOf(slice, parts),
    onShipped: ({ lines }) => parts.telemetryLog.shipped(lines.flatMap((line) => parseLine(line) ?? [])),
  });

async function rowsOf(slice: WalSlice, parts: ShipTelemetry): Promise<ReadonlyMap<string, readonly string[]>> {
  const lines: TelemetryLine[] = [];
  for (const [index, line] of slice.lines.entries()) {
    const parsed = parseLine(line);
    if (parsed) lines.push(parsed);
    else await putAside(parts, { slice, index, line });
  }
  const kept = await ofStores(parts, lines);
  // The resources come before the records, which name them.
  const tables = new Map([[RESOURCES_TABLE, [...new Set(kept.flatMap(({ resources }) => resources))]]]);
  for (const [signal, ofSignal] of groupedBy(kept, (line) => line.signal))
    tables.set(
      TABLES[signal],
      ofSignal.flatMap(({ rows }) => rows),
    );
  return tables;
}

/** Records of stores that are deleted meanwhile are dropped, so that nothing is left of them. */
async function ofStores({ db }: ShipTelemetry, lines: readonly TelemetryLine[]): Promise<TelemetryLine[]> {
  const ids = [...new Set(lines.map(({ rid }) => rid))];
  const stores = await db.telemetryStore.findMany({ where: { id: { in: ids }, removingSince: null } });
  const known = new Set(stores.map(({ id }) => id));
  return lines.filter(({ rid }) => known.has(rid));
}
