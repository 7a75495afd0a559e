import type { Pool } from "pg";
import type { Logger } from "pino";
import { type InsertParts, insertRows } from "../../engines/clickhouse/insert-rows";
import { isConnectionError } from "../../engines/postgres/connection-error";
import { whileShipping } from "../../engines/postgres/shipping-lock";
import type { WalSlice } from "../../engines/wal/deliveries";
import type { Wal } from "../../engines/wal/wal";
import { repeat } from "../../kernel/repeat";
import { PENDING_CLICK, type PendingClick, TABLE_BY_MARK } from "./fact-log";
import type { FactRow, FactTable } from "./fact-rows";
import { isRefusedClick } from "./refused-row";
import type { ReplayClick } from "./replay-click";
import type { AtStep } from "./steps";

const SLICE_BYTES_MAX = 4 << 20;
/**
 * A few large inserts cost ClickHouse far less than many small ones; after a full slice, the next is sent immediately.
 */
const GATHER_MS = 500;
const SLICE_BYTES_FULL = SLICE_BYTES_MAX / 2;

export interface ShipFacts extends InsertParts {
  wal: Wal;
  sql: Pool;
  replayClick: ReplayClick;
  log: Logger;
  atStep: AtStep;
}

export interface Loop {
  /** Finishes the current work, then stops. */
  stop(): Promise<void>;
}

/**
 * Sends a write-ahead file to ClickHouse, slice by slice. A slice is sent with its token until ClickHouse accepts it
 * and only then acknowledged, so after a crash the same rows are sent again with the same token.
 */
export function shipFacts(parts: ShipFacts): Loop {
  const round = async (): Promise<boolean> => {
    const shipped = await shipUnlessBackup(parts);
    return shipped === true && parts.wal.waitingBytes >= SLICE_BYTES_FULL;
  };
  const purpose = "send facts to ClickHouse";
  const loop = repeat({ everyMs: GATHER_MS, log: parts.log, purpose }, round, { atOnce: true });
  return { stop: loop.stop };
}

const DRAIN_POLL_MS = 20;

/**
 * Resolves when nothing waits in the files any more, or after `maxMs`. A start waits for it before it serves: a click
 * that an earlier process accepted without Postgres must be claimed before the same visitor clicks again, or that click
 * would get another id.
 */
export async function drained(wals: readonly Pick<Wal, "waitingBytes">[], maxMs: number): Promise<void> {
  for (let waited = 0; waited < maxMs && wals.some((wal) => wal.waitingBytes > 0); waited += DRAIN_POLL_MS)
    await new Promise((resolve) => setTimeout(resolve, DRAIN_POLL_MS));
}

/**
 * Returns undefined while a backup runs. Without Postgres no backup can run, so facts that do not need it are sent
 * anyway.
 */
async function shipUnlessBackup(parts: ShipFacts): Promise<boolean | undefined> {
  if (parts.wal.waitingBytes === 0) return false;
  let isAsked = false;
  try {
    return await whileShipping(parts.sql, () => {
      isAsked = true;
      return shipSlice(parts);
    });
  } catch (failure) {
    if (isAsked || !isConnectionError(failure)) throw failure;
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

async function sendSlice(slice: WalSlice, parts: ShipFacts): Promise<void> {
  const texts = new Map<FactTable, string[]>();
  const add = (table: FactTable, text: string) => {
    const known = texts.get(table);
    if (known) known.push(text);
    else texts.set(table, [text]);
  };
  for (const [index, line] of slice.lines.entries()) {
    const table = TABLE_BY_MARK.get(line.charAt(0));
    if (table) add(table, line.slice(1));
    else for (const row of await rowsOf(line, `${slice.token}:line${index}`, parts)) add("clicks", JSON.stringify(row));
  }
  parts.atStep("replay.claimed");
  for (const [table, rows] of texts) {
    await insertRows(parts, { table, rows: rows.join("\n"), token: `${slice.token}:${table}` });
  }
  parts.atStep("facts.inserted");
  await slice.ack();
}

/** Handles a line that is not a row: claims a click that waited for Postgres and rejects anything else. */
async function rowsOf(line: string, token: string, { replayClick, deadLetters }: ShipFacts): Promise<FactRow[]> {
  const isClick = line.charAt(0) === PENDING_CLICK;
  try {
    if (!isClick) throw new SyntaxError("The line has an unknown type.");
    return await replayClick(JSON.parse(line.slice(1)) as PendingClick);
  } catch (failure) {
    if (!isRefusedClick(failure)) throw failure;
    await deadLetters.add({ table: isClick ? "clicks" : "unknown", token, row: line, failure });
    return [];
  }
}
