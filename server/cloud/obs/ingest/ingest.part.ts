import type { Part } from "../../../identity/part";
import { type ExportReader, openTelemetry, type StartTelemetry } from "./start-telemetry";
import { telemetryRoutes } from "./telemetry.routes";
import type { TelemetryLog } from "./telemetry-log";

interface Needs extends Omit<StartTelemetry, "dataDir" | "member"> {
  config: Pick<StartTelemetry, "dataDir"> & Partial<Pick<StartTelemetry, "member">>;
}

interface Gives {
  /** Records of telemetry that wait for ClickHouse. */
  telemetryLog: TelemetryLog;
  exportReader: ExportReader;
}

/** Receives telemetry and sends it to ClickHouse. */
export const ingestPart: Part<Needs, Gives, typeof telemetryRoutes> = {
  name: "telemetry",
  routes: [telemetryRoutes],
  start: async ({ config: { dataDir, member }, db, sql, clickhouse, log, space }) => {
    const { telemetryLog, exportReader, stop } = await openTelemetry({
      dataDir,
      member,
      db,
      sql,
      clickhouse,
      log,
      space,
    });
    return { gives: { telemetryLog, exportReader }, stop };
  },
};
