import type { ClickHouseClient } from "@clickhouse/client";
import type { Logger } from "pino";
import type { Clock } from "../../kernel/clock";
import { storeBatches } from "../store-batches";
import { RequestCounter } from "./request-counter";
import { insertRequestCounts } from "./request-counts.sql";

export interface CounterParts {
  clickhouse: ClickHouseClient;
  clock: Clock;
  log: Logger;
}

/**
 * Starts a counter whose counts are stored every two seconds and at `stop`. While ClickHouse is unavailable they are
 * kept in memory, within the counter's bounds. `stop` never fails.
 */
export function startRequestCounter({ clickhouse, clock, log }: CounterParts): {
  counter: RequestCounter;
  stop(): Promise<void>;
} {
  const counter = new RequestCounter(clock);
  let lost = 0;
  const storeNext = async (signal?: AbortSignal): Promise<boolean> => {
    const batch = counter.take();
    if (counter.lost > lost) log.warn({ requests: counter.lost - lost }, "requests were not counted, too many keys");
    lost = counter.lost;
    if (!batch) return false;
    await insertRequestCounts(clickhouse, batch, signal);
    counter.stored(batch);
    return true;
  };
  return { counter, stop: storeBatches({ what: "request counts", log, storeNext }).stop };
}
