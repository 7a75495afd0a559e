import type { ClickHouseClient } from "@clickhouse/client";
import type { Logger } from "pino";
import { repeat } from "../../kernel/repeat";
import { ToolCallLog } from "./tool-call-log";
import { insertToolCalls } from "./tool-calls.sql";

const FLUSH_EVERY_MS = 2000;
/** How long a stop waits for ClickHouse; what is not stored by then is lost. */
const STOP_WAIT_MS = 2000;

export interface ToolCallLogParts {
  clickhouse: ClickHouseClient;
  log: Pick<Logger, "info" | "warn">;
}

/** Starts a log of calls of tools that is stored every two seconds and at `stop`, which never fails. */
export function startToolCallLog({ clickhouse, log }: ToolCallLogParts) {
  const calls = new ToolCallLog();
  const flush = async (signal?: AbortSignal): Promise<boolean> => {
    const batch = calls.take();
    if (!batch) return false;
    await insertToolCalls(clickhouse, batch, signal);
    calls.stored(batch);
    return true;
  };
  const loop = repeat({ everyMs: FLUSH_EVERY_MS, log, purpose: "store calls of tools" }, async () => {
    await flush();
  });
  return {
    calls,
    stop: async () => {
      await loop.stop();
      const deadline = AbortSignal.timeout(STOP_WAIT_MS);
      try {
        while (await flush(deadline));
      } catch (err) {
        log.warn({ err }, "cannot store the last calls of tools");
      }
    },
  };
}
