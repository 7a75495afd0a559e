import type { ClickHouseClient } from "@clickhouse/client";
import type { Counters } from "../../../engines/counters/counters";
import type { ActorCtx } from "../../../identity/identity-ctx";
import type { TenantRoom } from "../../core/stored-bytes/stored-bytes";
import type { ExportReader } from "./start-telemetry";
import type { TelemetryLog } from "./telemetry-log";

export interface TelemetryCtx extends ActorCtx {
  counters: Counters;
  /** Seals secrets that are stored in rows. */
  encryptionKey: Buffer;
  publicUrl: string;
  /** How much tenants store, against their limits. */
  storedBytes: TenantRoom;
  /** Where the records of telemetry stores are. */
  clickhouse: ClickHouseClient;
  /** Records of telemetry that wait for ClickHouse. */
  telemetryLog: TelemetryLog;
  exportReader: ExportReader;
  /** Aborted when the process begins to stop: requests that wait for messages then end. */
  stopping: AbortSignal;
}

/** The part of the context that is the same for every call. */
export type TelemetryParts = Omit<TelemetryCtx, "actor" | "request">;
