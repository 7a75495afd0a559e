import type { ClickHouseClient } from "@clickhouse/client";
import type { Pool } from "pg";
import type { Logger } from "pino";
import { whileShipping } from "../../engines/postgres/shipping-lock";
import { backoffMs } from "../../kernel/backoff";
import { pause } from "../../kernel/pause";
import { insertFacts } from "./insert-facts";
import { ROWS_PER_SLICE_MAX, sendSlice, sliceOutbox } from "./outbox.sql";
import type { Loop } from "./ship-facts";
import type { AtStep } from "./steps";

/** Few large inserts cost ClickHouse far less than many small ones. */
const GATHER_MS = 500;

/** Carries the outbox from Postgres to ClickHouse, except while a backup runs; any number of processes may do it side by side. */
export function shipOutbox(parts: { sql: Pool; clickhouse: ClickHouseClient; log: Logger; atStep: AtStep }): Loop {
  const stop = new AbortController();
  const done = (async () => {
    let failures = 0;
    while (!stop.signal.aborted) {
      try {
        const moved = await whileShipping(parts.sql, () => shipRound(parts, stop.signal));
        failures = 0;
        if (moved === undefined || moved < ROWS_PER_SLICE_MAX) await pause(GATHER_MS, stop.signal);
      } catch (failure) {
        parts.log.warn({ err: failure, failures }, "the outbox waits for an engine; trying again");
        await pause(backoffMs(failures++, { baseMs: 200 }), stop.signal);
      }
    }
  })();
  return {
    stop: async () => {
      stop.abort();
      await done;
    },
  };
}

type Parts = Parameters<typeof shipOutbox>[0];

/** A backup sees no round half done: unless one failed, no slice is left when the lock is. Answers how many rows moved. */
async function shipRound(parts: Parts, signal: AbortSignal): Promise<number> {
  const moved = await sliceOutbox(parts.sql);
  parts.atStep("outbox.sliced");
  await shipSlices(parts, signal);
  return moved;
}

async function shipSlices({ sql, clickhouse, atStep }: Parts, signal: AbortSignal): Promise<void> {
  let isMore = true;
  while (isMore && !signal.aborted) {
    isMore = await sendSlice(sql, async ({ id, table, rows }) => {
      await insertFacts(clickhouse, { table, rows, token: `outbox:${id}` });
      atStep("outbox.inserted");
    });
  }
}
