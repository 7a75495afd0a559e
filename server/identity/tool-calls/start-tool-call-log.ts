import type { ClickHouseClient } from "@clickhouse/client";
import type { Logger } from "pino";
import { storeBatches } from "../store-batches";
import { ToolCallLog } from "./tool-call-log";
import { insertToolCalls } from "./tool-calls.sql";

export interface ToolCallLogParts {
  clickhouse: ClickHouseClient;
  log: Pick<Logger, "info" | "warn">;
}

/** Starts a log of calls of tools that is stored every two seconds and at `stop`, which never fails. */
export function startToolCallLog({ clickhouse, log }: ToolCallLogParts) {
  const calls = new ToolCallLog();
  const storeNext = async (signal?: AbortSignal): Promise<boolean> => {
    const batch = calls.take();
    if (!batch) return false;
    await insertToolCalls(clickhouse, batch, signal);
    calls.stored(batch);
    return true;
  };
  return { calls, stop: storeBatches({ what: "calls of tools", log, storeNext }).stop };
}
