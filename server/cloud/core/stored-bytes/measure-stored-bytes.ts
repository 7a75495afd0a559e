import type { ClickHouseClient } from "@clickhouse/client";
import type { Pool } from "pg";
import type { StartedAlarms } from "../../../engines/start-alarms";
import type { Clock } from "../../../kernel/clock";
import { STORED_BYTES_TOPIC } from "./stored-bytes";
import { claimDue, measure, NEXT_MEASUREMENT, storeMeasured } from "./stored-bytes.sql";

const RUN_MAX = 100;

/**
 * Measures what tenants store: a minute after something was stored, soon when a tenant was refused, and every 15 minutes
 * as long as it stores something; what takes long less often. One measurement runs at a time in a process.
 */
export const startMeasuring = (
  { sql, clickhouse, clock }: { sql: Pool; clickhouse: ClickHouseClient; clock: Clock },
  alarms: Pick<StartedAlarms, "add">,
): { stop(): Promise<void> } =>
  alarms.add({
    topic: STORED_BYTES_TOPIC,
    purpose: "measure what tenants store",
    nextDue: NEXT_MEASUREMENT,
    run: async (stopping) => {
      const failures: unknown[] = [];
      let isMore = true;
      for (let i = 0; i < RUN_MAX && isMore && !stopping.aborted; i++) {
        const due = await claimDue(sql, clock.now());
        isMore = due !== undefined;
        if (!due) break;
        const beganMs = performance.now();
        // What cannot be measured now is due again later, and keeps nothing else from being measured.
        const bytes = await measure({ sql, clickhouse }, due, stopping).catch((failure) => void failures.push(failure));
        if (bytes === undefined) continue;
        const ms = Math.ceil(performance.now() - beganMs);
        await storeMeasured(sql, due, { bytes, ms, now: clock.now() });
      }
      if (failures.length > 0 && !stopping.aborted) throw failures[0];
      return isMore && !stopping.aborted;
    },
  });
