import type { ClickHouseClient } from "@clickhouse/client";
import type { FactRow } from "./fact-rows";

/** One insert under a deduplication token: sent again with the same rows and token, it changes nothing. */
export async function insertFacts(
  clickhouse: ClickHouseClient,
  { table, rows, token }: { table: string; rows: readonly FactRow[]; token: string },
): Promise<void> {
  await clickhouse.insert({
    table,
    values: rows,
    format: "JSONEachRow",
    clickhouse_settings: { insert_deduplication_token: token, deduplicate_blocks_in_dependent_materialized_views: 1 },
  });
}
