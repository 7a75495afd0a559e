import type { ClickHouseClient } from "@clickhouse/client";
import type { Pool } from "pg";
import type { Counters } from "../../../engines/counters/counters";
import type { StartedAlarms } from "../../../engines/start-alarms";
import type { Part } from "../../../identity/part";
import type { Clock } from "../../../kernel/clock";
import { startMeasuring } from "./measure-stored-bytes";
import { StoredBytes, type TenantRoom } from "./stored-bytes";
import { STORED_BYTES_QUOTAS } from "./stored-bytes.quotas";

interface Needs {
  sql: Pool;
  clickhouse: ClickHouseClient;
  counters: Counters;
  clock: Clock;
  alarms: Pick<StartedAlarms, "add" | "announce" | "wake">;
  config: { roles: ReadonlySet<string> };
}

/** Counts what tenants store, and measures it in workers. */
export const storedBytesPart: Part<Needs, { storedBytes: TenantRoom }> = {
  name: "stored bytes",
  quotas: Object.values(STORED_BYTES_QUOTAS),
  start: async ({ sql, clickhouse, counters, clock, alarms, config }) => {
    const { storedBytes, stop } = await StoredBytes.start({ sql, clock, counters, alarms });
    const measuring = config.roles.has("worker") ? startMeasuring({ sql, clickhouse, clock }, alarms) : undefined;
    return {
      gives: { storedBytes },
      stop: async () => {
        await measuring?.stop();
        await stop();
      },
    };
  },
};
