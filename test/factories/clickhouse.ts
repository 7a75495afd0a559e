import { randomBytes } from "node:crypto";
import path from "node:path";
import type { ClickHouseClient } from "@clickhouse/client";
import { inject } from "vitest";
import { createClickHouseClient } from "../../server/engines/clickhouse/connect-clickhouse";
import { migrateClickHouse } from "../../server/engines/clickhouse/migrate-clickhouse";

export interface TestClickHouse {
  client: ClickHouseClient;
  /** With the database in its path. */
  url: string;
  database: string;
  close(): Promise<void>;
}

/** Long enough for any date in a test. */
const RETENTION = { rawDays: 20_000, rollupDays: 20_000 };

/** A new, migrated database on the test run's ClickHouse; `close` drops it. */
export async function testClickHouse(serverUrl: string = inject("clickhouseUrl")): Promise<TestClickHouse> {
  const database = `test_${randomBytes(8).toString("hex")}`;
  const server = createClickHouseClient(serverUrl);
  await server.command({ query: `CREATE DATABASE ${database}` });
  // A row with an unknown column fails here, whereas production drops the column.
  const strict = "clickhouse_setting_input_format_skip_unknown_fields";
  const address = new URL(serverUrl);
  address.pathname = `/${database}`;
  address.searchParams.set(strict, "0");
  const url = address.toString();
  const client = createClickHouseClient(url);
  await migrateClickHouse(client, { dir: path.resolve(import.meta.dirname, "../../clickhouse"), retention: RETENTION });
  return {
    client,
    url,
    database,
    close: async () => {
      await client.close();
      await server.command({ query: `DROP DATABASE ${database} SYNC` });
      await server.close();
    },
  };
}
