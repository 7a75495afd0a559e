import { randomBytes } from "node:crypto";
import type { ClickHouseClient } from "@clickhouse/client";
import { inject } from "vitest";
import { createClickHouseClient } from "../../server/engines/clickhouse/connect-clickhouse";
import { TEMPLATE } from "./clickhouse-template";

export interface TestClickHouse {
  client: ClickHouseClient;
  /** With the database in its path. */
  url: string;
  database: string;
  close(): Promise<void>;
}

/** A new, migrated database on the test run's ClickHouse; `close` drops it. */
export async function testClickHouse(): Promise<TestClickHouse> {
  const serverUrl = inject("clickhouseUrl");
  const database = `test_${randomBytes(8).toString("hex")}`;
  const server = createClickHouseClient(serverUrl);
  await server.command({ query: `CREATE DATABASE ${database}` });
  await cloneTemplate(server, database);
  // A row with an unknown column fails here, whereas production drops the column.
  const strict = "clickhouse_setting_input_format_skip_unknown_fields";
  const address = new URL(serverUrl);
  address.pathname = `/${database}`;
  address.searchParams.set(strict, "0");
  const url = address.toString();
  const client = createClickHouseClient(url);
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

async function cloneTemplate(server: ClickHouseClient, database: string): Promise<void> {
  const { tables, views } = inject("clickhouseTemplate");
  const run = (statement: string) => server.command({ query: statement.replaceAll(`${TEMPLATE}.`, `${database}.`) });
  await Promise.all(tables.map(run));
  await Promise.all(views.map(run));
  const migrations = "schema_migrations";
  await server.command({ query: `INSERT INTO ${database}.${migrations} SELECT * FROM ${TEMPLATE}.${migrations}` });
}
