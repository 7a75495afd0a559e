import type { ClickHouseClient } from "@clickhouse/client";
import type { Logger } from "pino";
import type { Clock } from "../../kernel/clock";
import { repeat } from "../../kernel/repeat";
import { RequestCounter } from "./request-counter";
import { insertRequestCounts } from "./request-counts.sql";

const FLUSH_EVERY_MS = 2000;
/** How long a stop waits for ClickHouse; what is not stored by then is lost. */
const STOP_WAIT_MS = 2000;

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
  const flush = async (signal?: AbortSignal): Promise<boolean> => {
    const batch = counter.take();
    if (counter.lost > lost) log.warn({ requests: counter.lost - lost }, "requests were not counted, too many keys");
    lost = counter.lost;
    if (!batch) return false;
    await insertRequestCounts(clickhouse, batch, signal);
    counter.stored(batch);
    return true;
  };
  const loop = repeat({ everyMs: FLUSH_EVERY_MS, log, purpose: "store request counts" }, async () => {
    await flush();
  });
  return {
    counter,
    stop: async () => {
      await loop.stop();
      const deadline = AbortSignal.timeout(STOP_WAIT_MS);
      try {
        while (await flush(deadline));
      } catch (err) {
        log.warn({ err }, "cannot store the last request counts");
      }
    },
  };
}
