import path from "node:path";
import { createClickHouseClient } from "../../server/engines/clickhouse/connect-clickhouse";
import { migrateClickHouse } from "../../server/engines/clickhouse/migrate-clickhouse";

/** Statements that make what the migrations make, for a database by the name of `TEMPLATE`. */
export interface ClickHouseTemplate {
  /** In any order, also at once. */
  tables: string[];
  /** After the tables. */
  views: string[];
}

export const TEMPLATE = "test_template";
/** Long enough for any date in a test. */
const RETENTION = { rawDays: 20_000, rollupDays: 20_000 };

/** Migrates a database once a run. Its final tables take a fraction of the time of all migrations. */
export async function createClickHouseTemplate(serverUrl: string, rootDir: string): Promise<ClickHouseTemplate> {
  const server = createClickHouseClient(serverUrl);
  await server.command({ query: `CREATE DATABASE ${TEMPLATE}` });
  await server.close();
  const address = new URL(serverUrl);
  address.pathname = `/${TEMPLATE}`;
  const client = createClickHouseClient(address.href);
  try {
    await migrateClickHouse(client, { dir: path.join(rootDir, "clickhouse"), retention: RETENTION });
    const statementsOf = async (engine: "LIKE" | "NOT LIKE") => {
      const query = `SELECT create_table_query AS statement FROM system.tables
        WHERE database = currentDatabase() AND engine ${engine} '%View' AND name NOT LIKE '.inner%'`;
      const answer = await client.query({ query, format: "JSONEachRow" });
      return (await answer.json<{ statement: string }>()).map(({ statement }) => statement);
    };
    return { tables: await statementsOf("NOT LIKE"), views: await statementsOf("LIKE") };
  } finally {
    await client.close();
  }
}
