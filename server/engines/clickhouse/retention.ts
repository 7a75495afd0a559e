import type { ClickHouseClient } from "@clickhouse/client";

export interface Retention {
  /** How many days single events are kept. */
  rawDays: number;
  /** How many days the sums behind the reports, and the counts of API requests, are kept. */
  rollupDays: number;
}

/** A DateTime ends in 2106 and overflows: a longer time to live would delete rows at once. */
const DAYS_MAX = 20_000;

const EVENT_TABLES = ["requests", "offers", "impressions", "clicks", "conversions", "reversals"];
/** Tables of sums, each with the column of its time. */
const ROLLUPS = { report_slots: "slot", pixel_slots: "slot", key_requests: "hour" };

/** Sets the configured time to live on each table; a table that already has it is not altered. */
export async function applyRetention(client: ClickHouseClient, { rawDays, rollupDays }: Retention): Promise<void> {
  const wanted = new Map(EVENT_TABLES.map((table) => [table, ttl("at", rawDays)]));
  for (const [table, column] of Object.entries(ROLLUPS)) wanted.set(table, ttl(column, rollupDays));
  const answer = await client.query({
    query: "SELECT name, engine_full AS engine FROM system.tables WHERE database = currentDatabase()",
    format: "JSONEachRow",
  });
  for (const { name, engine } of await answer.json<{ name: string; engine: string }>()) {
    const expression = wanted.get(name);
    if (expression === undefined || engine.includes(`TTL ${expression} `)) continue;
    await client.command({
      query: `ALTER TABLE {table:Identifier} MODIFY TTL ${expression}`,
      query_params: { table: name },
    });
  }
}

/** In the form in which ClickHouse prints it, so that the two can be compared. */
const ttl = (column: string, days: number): string =>
  `toDateTime(${column}) + toIntervalDay(${Math.min(Math.trunc(days), DAYS_MAX)})`;
