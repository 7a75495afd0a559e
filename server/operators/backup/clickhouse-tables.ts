import path from "node:path";
import { finished } from "node:stream/promises";
import type { ClickHouseClient } from "@clickhouse/client";
import type { Manifest, TableEntry } from "./manifest";
import { readTable, writeTable } from "./table-file";

interface Table {
  table: string;
  columns: string[];
}

/** Name prefix of the frozen copies of tables during a backup. */
const FROZEN = "backup_of_";

/** The tables with svc's data: events and the sums for reports. */
export async function listClickHouseTables(clickhouse: ClickHouseClient): Promise<Table[]> {
  return rowsOf<Table>(
    clickhouse,
    `SELECT table, arrayMap(column -> column.2, arraySort(groupArray((position, name)))) AS columns
     FROM system.columns
     WHERE database = currentDatabase() AND table IN (
       SELECT name FROM system.tables
       WHERE database = currentDatabase() AND engine LIKE '%MergeTree' AND name != 'schema_migrations'
         AND NOT startsWith(name, '${FROZEN}'))
     GROUP BY table ORDER BY table`,
  );
}

/**
 * Creates a frozen copy of each table from hard links to the same files, which takes neither time nor disk space for
 * any table size. The caller ensures that nothing is inserted meanwhile, and calls `thaw` at the end.
 */
export async function freeze(clickhouse: ClickHouseClient): Promise<void> {
  // A backup that was killed may have left frozen copies.
  await thaw(clickhouse);
  for (const { table } of await listClickHouseTables(clickhouse)) {
    const frozen = quoted(FROZEN + table);
    await clickhouse.command({ query: `CREATE TABLE ${frozen} AS ${quoted(table)}` });
    const partitions = await rowsOf<{ id: string }>(
      clickhouse,
      `SELECT DISTINCT partition_id AS id FROM system.parts
       WHERE database = currentDatabase() AND table = '${table}' AND active ORDER BY id`,
    );
    for (const { id } of partitions) {
      await clickhouse.command({ query: `ALTER TABLE ${frozen} ATTACH PARTITION ID '${id}' FROM ${quoted(table)}` });
    }
  }
}

export async function thaw(clickhouse: ClickHouseClient): Promise<void> {
  const frozen = await rowsOf<{ name: string }>(
    clickhouse,
    `SELECT name FROM system.tables WHERE database = currentDatabase() AND startsWith(name, '${FROZEN}')`,
  );
  for (const { name } of frozen) await clickhouse.command({ query: `DROP TABLE ${quoted(name)} SYNC` });
}

/** Copies every table in the state in which it was frozen. */
export async function copyClickHouseOut(
  clickhouse: ClickHouseClient,
  { folder, progress }: { folder: string; progress: (step: string) => void },
): Promise<Manifest["clickhouse"]> {
  const tables: TableEntry[] = [];
  for (const { table, columns } of await listClickHouseTables(clickhouse)) {
    progress(`copying ClickHouse, ${table}`);
    const query = `SELECT ${listed(columns)} FROM ${quoted(FROZEN + table)} FORMAT TabSeparated`;
    const { stream } = await clickhouse.exec({ query });
    tables.push({ table, columns, ...(await writeTable(stream, { folder, file: `clickhouse/${table}.tsv.gz` })) });
  }
  return { tables };
}

/**
 * Fills migrated, empty tables. The views that fill the rollup are detached meanwhile, because the backup contains the
 * rollup's rows too, including rows older than the stored events. If it fails, the tables are empty again.
 */
export async function copyClickHouseIn(
  clickhouse: ClickHouseClient,
  { part, folder, progress }: { part: Manifest["clickhouse"]; folder: string; progress: (step: string) => void },
): Promise<void> {
  const views = await rowsOf<{ name: string }>(
    clickhouse,
    "SELECT name FROM system.tables WHERE database = currentDatabase() AND engine = 'MaterializedView' ORDER BY name",
  );
  for (const { name } of views) await clickhouse.command({ query: `DETACH TABLE ${quoted(name)}` });
  try {
    for (const entry of part.tables) {
      progress(`restoring ClickHouse, ${entry.table}`);
      await insertTable(clickhouse, folder, entry);
    }
  } catch (failure) {
    await emptyTables(clickhouse).catch(() => undefined);
    throw failure;
  } finally {
    for (const { name } of views) await clickhouse.command({ query: `ATTACH TABLE ${quoted(name)}` });
  }
}

export async function emptyTables(clickhouse: ClickHouseClient): Promise<void> {
  for (const { table } of await listClickHouseTables(clickhouse)) {
    await clickhouse.command({ query: `TRUNCATE TABLE ${quoted(table)}` });
  }
}

/** Names of tables that contain rows. */
export async function filledClickHouseTables(clickhouse: ClickHouseClient): Promise<string[]> {
  const filled: string[] = [];
  for (const { table } of await listClickHouseTables(clickhouse)) {
    const found = await rowsOf(clickhouse, `SELECT 1 AS one FROM ${quoted(table)} LIMIT 1`);
    if (found.length > 0) filled.push(table);
  }
  return filled;
}

async function insertTable(clickhouse: ClickHouseClient, folder: string, entry: TableEntry): Promise<void> {
  const { table, columns, file, rows: expected } = entry;
  const { content, rows } = readTable(path.join(folder, file));
  const { stream } = await clickhouse.exec({
    query: `INSERT INTO ${quoted(table)} (${listed(columns)}) FORMAT TabSeparated`,
    values: content,
    clickhouse_settings: {
      // Equal blocks of one table are not duplicates here.
      insert_deduplicate: 0,
      // A block may span years.
      max_partitions_per_insert_block: "0",
    },
  });
  // The response is empty; reading it to its end releases the connection.
  await finished(stream.resume());
  if (rows() !== expected) throw new Error(`${table}: restored ${rows()} of ${expected} rows.`);
}

async function rowsOf<T>(clickhouse: ClickHouseClient, query: string): Promise<T[]> {
  return (await clickhouse.query({ query, format: "JSONEachRow" })).json<T>();
}

const quoted = (name: string): string => `\`${name.replaceAll("`", "\\`")}\``;
const listed = (columns: readonly string[]): string => columns.map(quoted).join(", ");
