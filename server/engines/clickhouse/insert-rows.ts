import { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import { type ClickHouseClient, ClickHouseError } from "@clickhouse/client";
import type { DeadLetterFile } from "../wal/dead-letter-file";

/**
 * ClickHouse error names that mean that a row is invalid, not that the server failed:
 * https://github.com/ClickHouse/ClickHouse/blob/master/src/Common/ErrorCodes.cpp. Other errors are retried, because a
 * row that is dropped by mistake is lost to the reports.
 */
const ROW_ERRORS =
  /^(CANNOT_PARSE_\w+|CANNOT_CONVERT_TYPE|CANNOT_INSERT_NULL_IN_ORDINARY_COLUMN|CANNOT_READ_(ALL_DATA|ARRAY_FROM_TEXT|MAP_FROM_TEXT)|INCORRECT_DATA|TYPE_MISMATCH|ARGUMENT_OUT_OF_BOUND|VALUE_IS_OUT_OF_RANGE_OF_DATA_TYPE|TOO_LARGE_(STRING|ARRAY)_SIZE|DECIMAL_OVERFLOW|VIOLATED_CONSTRAINT|UNKNOWN_ELEMENT_OF_ENUM|ATTEMPT_TO_READ_AFTER_EOF)$/;

export interface RowInsert {
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
export async function insertRows(parts: InsertParts, insert: RowInsert): Promise<void> {
  try {
    await insertAll(parts.clickhouse, insert);
  } catch (failure) {
    if (!isRefusedInsert(failure)) throw failure;
    const { table, rows, token } = insert;
    const middle = lineStartNear(rows, rows.length >> 1);
    if (middle === undefined) return parts.deadLetters.add({ table, token, row: rows, failure });
    await insertRows(parts, { table, rows: rows.slice(0, middle - 1), token: `${token}/0` });
    await insertRows(parts, { table, rows: rows.slice(middle), token: `${token}/1` });
  }
}

/** Sends one insert with a deduplication token, without parsing the rows again. */
async function insertAll(clickhouse: ClickHouseClient, { table, rows, token }: RowInsert): Promise<void> {
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

/** Returns true if ClickHouse rejected the rows of an insert, as opposed to a temporary server failure. */
const isRefusedInsert = (failure: unknown): boolean =>
  failure instanceof ClickHouseError && ROW_ERRORS.test(failure.type ?? "");
