import type { InsertParts } from "../../engines/clickhouse/insert-rows";
import { putAside, shipRecords } from "../../engines/clickhouse/ship-records";
import type { WalSlice } from "../../engines/wal/deliveries";
import type { Wal } from "../../engines/wal/wal";
import { FACT_RECORDS, type PendingClick } from "./fact-log";
import type { FactRow, FactTable } from "./fact-rows";
import { isRefusedClick } from "./refused-row";
import type { ReplayClick } from "./replay-click";
import type { AtStep } from "./steps";

const GATHER_MS = 500;
/** Half of a slice. */
const FULL_BYTES = 2 << 20;

import type { Pool } from "pg";
import type { Logger } from "pino";

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

/** Sends a write-ahead file of facts to ClickHouse. Facts that do not need Postgres are sent without it. */
export const shipFacts = (parts: ShipFacts): Loop =>
  shipRecords({
    ...parts,
    purpose: "send facts to ClickHouse",
    gatherMs: GATHER_MS,
    fullBytes: FULL_BYTES,
    rowsOf: (slice) => rowsOf(slice, parts),
    beforeInsert: () => parts.atStep("replay.claimed"),
    afterInsert: () => parts.atStep("facts.inserted"),
  });

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

async function rowsOf(slice: WalSlice, parts: ShipFacts): Promise<ReadonlyMap<string, readonly string[]>> {
  const tables = new Map<FactTable, string[]>();
  const add = (table: FactTable, text: string) => {
    const known = tables.get(table);
    if (known) known.push(text);
    else tables.set(table, [text]);
  };
  for (const [index, line] of slice.lines.entries()) {
    const type = FACT_RECORDS.typeOf(line);
    if (type === undefined) await putAside(parts, { slice, index, line });
    else if (type !== "pending_click") add(type, FACT_RECORDS.textOf(line));
    else
      for (const row of await replayed(line, `${slice.token}:line${index}`, parts)) add("clicks", JSON.stringify(row));
  }
  return tables;
}

/** Claims a click that waited for Postgres. */
async function replayed(line: string, token: string, { replayClick, deadLetters }: ShipFacts): Promise<FactRow[]> {
  try {
    return await replayClick(JSON.parse(FACT_RECORDS.textOf(line)) as PendingClick);
  } catch (failure) {
    if (!isRefusedClick(failure)) throw failure;
    await deadLetters.add({ table: "clicks", token, row: line, failure });
    return [];
  }
}
