import { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import type { ClickHouseClient } from "@clickhouse/client";
import type { DeadLetterFile } from "../../engines/wal/dead-letter-file";
import { isRefusedInsert } from "./refused-row";

export interface FactInsert {
  table: string;
  /** JSON, one row per line. */
  rows: string;
  /** The deduplication token: repeating an insert with the same rows and token changes nothing. */
  token: string;
}

export interface InsertParts {
  clickhouse: ClickHouseClient;
  deadLetters: Pick<DeadLetterFile, "add">;
}

/**
 * Inserts every row that ClickHouse accepts and writes the others to the dead-letter file. A rejected insert is halved
 * until the invalid rows are isolated; each half has its own token, which is the same in every attempt.
 */
export async function insertFacts(parts: InsertParts, insert: FactInsert): Promise<void> {
  try {
    await insertAll(parts.clickhouse, insert);
  } catch (failure) {
    if (!isRefusedInsert(failure)) throw failure;
    const { table, rows, token } = insert;
    const middle = lineStartNear(rows, rows.length >> 1);
    if (middle === undefined) return parts.deadLetters.add({ table, token, row: rows, failure });
    await insertFacts(parts, { table, rows: rows.slice(0, middle - 1), token: `${token}/0` });
    await insertFacts(parts, { table, rows: rows.slice(middle), token: `${token}/1` });
  }
}

/** Sends one insert with a deduplication token, without parsing the rows again. */
async function insertAll(clickhouse: ClickHouseClient, { table, rows, token }: FactInsert): Promise<void> {
  const { stream } = await clickhouse.exec({
    query: `INSERT INTO ${table} FORMAT JSONEachRow`,
    values: Readable.from([rows], { objectMode: false }),
    clickhouse_settings: { insert_deduplication_token: token, deduplicate_blocks_in_dependent_materialized_views: 1 },
  });
  // The response is empty; reading it to the end frees the connection.
  await finished(stream.resume());
}

/** Where the nearest line after `at` begins, else the nearest before it; undefined for a single line. */
function lineStartNear(rows: string, at: number): number | undefined {
  const behind = rows.indexOf("\n", at);
  const newline = behind >= 0 ? behind : rows.lastIndexOf("\n");
  return newline < 0 ? undefined : newline + 1;
}
