import type { ClickHouseClient } from "@clickhouse/client";
import type { Pool } from "pg";
import type { Logger } from "pino";
import { isAway } from "../../engines/postgres/is-away";
import { whileShipping } from "../../engines/postgres/shipping-lock";
import type { WalSlice } from "../../engines/wal/deliveries";
import type { Wal } from "../../engines/wal/wal";
import { backoffMs } from "../../kernel/backoff";
import { pause } from "../../kernel/pause";
import { PENDING_CLICK, type PendingClick, TABLE_BY_MARK } from "./fact-log";
import type { FactTable } from "./fact-rows";
import { insertFacts } from "./insert-facts";
import type { ReplayClick } from "./replay-click";
import type { AtStep } from "./steps";

const SLICE_BYTES_MAX = 4 << 20;
/** Few large inserts cost ClickHouse far less than many small ones; a full slice is followed by the next at once. */
const GATHER_MS = 500;
const SLICE_BYTES_FULL = SLICE_BYTES_MAX / 2;

export interface ShipFacts {
  wal: Wal;
  sql: Pool;
  clickhouse: ClickHouseClient;
  replayClick: ReplayClick;
  log: Logger;
  atStep: AtStep;
}

export interface Loop {
  /** Finishes what is under way, then stops. */
  stop(): Promise<void>;
}

/**
 * Carries a write-ahead file to ClickHouse, slice by slice. A slice is sent under its token until ClickHouse took it
 * and only then acknowledged, so that a crash at any moment leads to the same rows under the same token again.
 */
export function shipFacts(parts: ShipFacts, { untilEmpty = false } = {}): Loop & { done: Promise<void> } {
  const stop = new AbortController();
  const done = (async () => {
    let failures = 0;
    while (!stop.signal.aborted) {
      try {
        const shipped = await shipUnlessBackup(parts);
        failures = 0;
        if (shipped === false && untilEmpty) return;
        if (!shipped || parts.wal.waitingBytes < SLICE_BYTES_FULL) await pause(GATHER_MS, stop.signal);
      } catch (failure) {
        parts.log.warn({ err: failure, failures }, "facts wait for an engine; trying again");
        await pause(backoffMs(failures++, { baseMs: 200 }), stop.signal);
      }
    }
  })();
  return {
    done,
    stop: async () => {
      stop.abort();
      await done;
    },
  };
}

/** Undefined while a backup runs. Without Postgres none can, so what does not need it goes to ClickHouse all the same. */
async function shipUnlessBackup(parts: ShipFacts): Promise<boolean | undefined> {
  if (parts.wal.waitingBytes === 0) return false;
  let isAsked = false;
  try {
    return await whileShipping(parts.sql, () => {
      isAsked = true;
      return shipSlice(parts);
    });
  } catch (failure) {
    if (isAsked || !isAway(failure)) throw failure;
    return shipSlice(parts);
  }
}

async function shipSlice(parts: ShipFacts): Promise<boolean> {
  const slice = await parts.wal.take(SLICE_BYTES_MAX);
  if (!slice) return false;
  try {
    await sendSlice(slice, parts);
  } catch (failure) {
    slice.giveBack();
    throw failure;
  }
  return true;
}

async function sendSlice(slice: WalSlice, { clickhouse, replayClick, log, atStep }: ShipFacts): Promise<void> {
  const texts = new Map<FactTable, string[]>();
  const add = (table: FactTable, text: string) => {
    const known = texts.get(table);
    if (known) known.push(text);
    else texts.set(table, [text]);
  };
  for (const line of slice.lines) {
    const [mark, text] = [line.charAt(0), line.slice(1)];
    const table = TABLE_BY_MARK.get(mark);
    if (table) add(table, text);
    else if (mark === PENDING_CLICK) {
      for (const row of await replayClick(JSON.parse(text) as PendingClick)) add("clicks", JSON.stringify(row));
    } else log.error({ line }, "a line of the write-ahead file is of no known kind and was left out");
  }
  atStep("replay.claimed");
  for (const [table, rows] of texts) {
    await insertFacts(clickhouse, { table, rows: rows.join("\n"), token: `${slice.token}:${table}` });
  }
  atStep("facts.inserted");
  await slice.ack();
}
