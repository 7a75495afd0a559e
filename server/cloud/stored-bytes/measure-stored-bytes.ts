import type { Pool } from "pg";
import type { StartedAlarms } from "../../engines/start-alarms";
import type { Clock } from "../../kernel/clock";
import { STORED_BYTES_TOPIC } from "./stored-bytes";
import { claimDue, measure, NEXT_MEASUREMENT, storeMeasured } from "./stored-bytes.sql";

const RUN_MAX = 100;

/**
 * Measures what tenants store: a minute after something was stored, soon when a tenant was refused, and every 15 minutes
 * as long as it stores something; what takes long less often. One measurement runs at a time in a process.
 */
export const startMeasuring = (
  { sql, clock }: { sql: Pool; clock: Clock },
  alarms: Pick<StartedAlarms, "add">,
): { stop(): Promise<void> } =>
  alarms.add({
    topic: STORED_BYTES_TOPIC,
    purpose: "measure what tenants store",
    nextDue: NEXT_MEASUREMENT,
    run: async (stopping) => {
      for (let i = 0; i < RUN_MAX && !stopping.aborted; i++) {
        const due = await claimDue(sql, clock.now());
        if (!due) return false;
        const beganMs = performance.now();
        const bytes = await measure(sql, due, stopping).catch(undefinedIfAborted(stopping));
        if (bytes === undefined) return false;
        const ms = Math.ceil(performance.now() - beganMs);
        await storeMeasured(sql, due, { bytes, ms, now: clock.now() });
      }
      return !stopping.aborted;
    },
  });

const undefinedIfAborted =
  (stopping: AbortSignal) =>
  (failure: unknown): undefined => {
    if (!stopping.aborted) throw failure;
  };
