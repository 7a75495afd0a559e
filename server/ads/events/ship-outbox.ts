import type { Pool } from "pg";
import type { Logger } from "pino";
import { type InsertParts, insertRows } from "../../engines/clickhouse/insert-rows";
import { whileShipping } from "../../engines/postgres/shipping-lock";
import type { StartedAlarms } from "../../engines/start-alarms";
import { OUTBOX_LEFT, ROWS_PER_SLICE_MAX, sendSlice, sliceOutbox } from "./outbox.sql";
import type { Loop } from "./ship-facts";
import type { AtStep } from "./steps";

export const OUTBOX_TOPIC = "outbox";
/** A few large inserts cost ClickHouse far less than many small ones. */
const GATHER_MS = 500;

interface ShipOutbox extends InsertParts {
  sql: Pool;
  alarms: Pick<StartedAlarms, "add">;
  log: Logger;
  atStep: AtStep;
}

/**
 * Sends the outbox from Postgres to ClickHouse, except while a backup runs; any number of processes can do so
 * concurrently.
 */
export function shipOutbox(parts: ShipOutbox): Loop {
  const round = async (stopping: AbortSignal): Promise<boolean> => {
    const moved = await whileShipping(parts.sql, () => shipRound(parts, stopping));
    return moved !== undefined && moved >= ROWS_PER_SLICE_MAX;
  };
  return parts.alarms.add({
    topic: OUTBOX_TOPIC,
    purpose: "send the outbox to ClickHouse",
    nextDue: OUTBOX_LEFT,
    gatherMs: GATHER_MS,
    run: round,
  });
}

/**
 * A backup never sees a half-finished round: unless a round failed, no slice is left when the lock is released. Returns
 * how many rows moved.
 */
async function shipRound(parts: ShipOutbox, signal: AbortSignal): Promise<number> {
  const moved = await sliceOutbox(parts.sql);
  parts.atStep("outbox.sliced");
  await shipSlices(parts, signal);
  return moved;
}

async function shipSlices(parts: ShipOutbox, signal: AbortSignal): Promise<void> {
  let isMore = true;
  while (isMore && !signal.aborted) {
    isMore = await sendSlice(parts.sql, async ({ id, table, rows }) => {
      await insertRows(parts, { table, rows, token: `outbox:${id}` });
      parts.atStep("outbox.inserted");
    });
  }
}
