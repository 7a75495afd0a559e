import { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import type { ClickHouseClient } from "@clickhouse/client";

export interface FactInsert {
  table: string;
  /** JSON, one row a line. */
  rows: string;
  /** Sent again with the same rows and token, an insert changes nothing. */
  token: string;
}

/** One insert, without reading the rows once more, under a deduplication token. */
export async function insertFacts(clickhouse: ClickHouseClient, { table, rows, token }: FactInsert): Promise<void> {
  const { stream } = await clickhouse.exec({
    query: `INSERT INTO ${table} FORMAT JSONEachRow`,
    values: Readable.from([rows], { objectMode: false }),
    clickhouse_settings: { insert_deduplication_token: token, deduplicate_blocks_in_dependent_materialized_views: 1 },
  });
  // The answer is empty; reading it to its end frees the connection.
  await finished(stream.resume());
}
