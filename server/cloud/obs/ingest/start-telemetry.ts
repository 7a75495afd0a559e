import { existsSync } from "node:fs";
import path from "node:path";
import type { ClickHouseClient } from "@clickhouse/client";
import type { Pool } from "pg";
import type { Logger } from "pino";
import type { Room } from "../../../engines/disk-space/disk-space";
import type { PrismaClient } from "../../../engines/postgres/generated/client";
import { DeadLetterFile } from "../../../engines/wal/dead-letter-file";
import { openWals } from "../../../engines/wal/open-wals";
import { OtlpThread } from "./otlp-thread";
import { type ExportRequest, type ParsedExport, parseExport } from "./parse-export";
import { shipTelemetry } from "./ship-telemetry";
import { TelemetryLog } from "./telemetry-log";

const WAITING_BYTES_MAX = 1 << 30;

export interface StartTelemetry {
  dataDir: string;
  /** This process among those of the data directory; undefined: it is the only one. */
  member: { slot: number; of: number } | undefined;
  db: PrismaClient;
  sql: Pool;
  clickhouse: ClickHouseClient;
  log: Logger;
  space: Room;
}

interface OpenTelemetry {
  telemetryLog: TelemetryLog;
  exportReader: ExportReader;
  stop(): Promise<void>;
}

/** Reads export requests: OtlpThread, or parseExport in this thread. */
export interface ExportReader {
  parse(request: ExportRequest): Promise<ParsedExport>;
}

/** The built otlp-worker.ts is beside the built server; without it this thread reads. */
function openExportReader(): { exportReader: ExportReader; close: () => unknown } {
  const workerFile = path.join(import.meta.dirname, "otlp-worker.mjs");
  if (!existsSync(workerFile))
    return { exportReader: { parse: async (request) => parseExport(request) }, close: () => undefined };
  const thread = new OtlpThread(workerFile);
  return { exportReader: thread, close: () => thread.close() };
}

/** Opens the write-ahead file of this process, and sends it to ClickHouse until the stop. */
export async function openTelemetry({
  dataDir,
  member,
  log,
  space,
  ...engines
}: StartTelemetry): Promise<OpenTelemetry> {
  const { slot, of } = member ?? { slot: 0, of: 1 };
  const { own, left } = await openWals({
    folder: path.resolve(dataDir, "wal"),
    prefix: "telemetry-",
    member,
    optionsOf: () => ({
      waitingBytesMax: Math.floor(WAITING_BYTES_MAX / of),
      onDamage: (damage) => log.error({ damage }, "the write-ahead file of telemetry is damaged"),
    }),
  });
  const telemetryLog = new TelemetryLog(own, space);
  const deadLetters = new DeadLetterFile({ file: path.resolve(dataDir, `dead-telemetry-${slot}.ndjson`), log });
  const loops = [own, ...left].map((wal) => ({
    wal,
    loop: shipTelemetry({ ...engines, wal, log, deadLetters, telemetryLog }),
  }));
  const reader = openExportReader();
  return {
    telemetryLog,
    exportReader: reader.exportReader,
    stop: async () => {
      await reader.close();
      for (const { loop, wal } of loops) {
        await loop.stop();
        await wal.close();
      }
    },
  };
}
