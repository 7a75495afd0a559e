import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { ClickHouseClient } from "@clickhouse/client";
import { sha256 } from "../../kernel/secrets";
import { applyRetention, type Retention } from "./retention";
import { splitStatements } from "./split-statements";

export interface MigrateClickHouse {
  /** The folder of `0001_name.sql`, `0002_name.sql`, … */
  dir: string;
  retention: Retention;
}

interface Migration {
  name: string;
  sha256: string;
  statements: string[];
  /** The last of the files whose place a baseline takes; undefined for any other file. */
  replaces: string | undefined;
}

/** The mark of a baseline, on a line of its own. */
const REPLACES = /^-- svc: replaces (\S+)$/m;

const FILE = /^(\d{4})_[a-z0-9_]+\.sql$/;

/**
 * Statements that can safely run twice: ClickHouse has no transactions and no lock, so an interrupted file starts over.
 */
const REPEATABLE =
  /^(CREATE (TABLE|MATERIALIZED VIEW|VIEW|DICTIONARY) IF NOT EXISTS|DROP (TABLE|VIEW|DICTIONARY) IF EXISTS|ALTER TABLE \S+ ((ADD|DROP|MODIFY|CLEAR|RENAME|COMMENT|MATERIALIZE) (COLUMN|INDEX|PROJECTION) IF (NOT )?EXISTS|MODIFY (QUERY|SETTING|TTL|COMMENT)))/;

const RECORD = `CREATE TABLE IF NOT EXISTS schema_migrations
  (name String, sha256 FixedString(64), applied_at DateTime64(3, 'UTC') DEFAULT now64(3))
  ENGINE = ReplacingMergeTree ORDER BY name`;

/**
 * Applies pending migrations to the client's database and sets its retention. Several processes may do so at once: each
 * statement can run twice, and a file counts as applied after its last statement. Throws an error of one sentence for a
 * file that was edited after it had been applied, has a wrong name, or contains a statement that must not run twice, and
 * for a database with only a part of the files that a baseline replaces.
 */
export async function migrateClickHouse(
  client: ClickHouseClient,
  { dir, retention }: MigrateClickHouse,
): Promise<void> {
  await client.command({ query: RECORD });
  const applied = await appliedClickHouse(client);
  for (const migration of await readClickHouseMigrations(dir)) {
    const known = applied.get(migration.name);
    if (known === undefined) {
      await dropReplaced(client, migration, applied);
      await apply(client, migration);
    } else if (known !== migration.sha256) {
      throw new Error(`${migration.name} was edited after it had been applied; restore it and add a new file instead.`);
    }
  }
  await applyRetention(client, retention);
}

/** The SHA-256 of each applied file, by file name. */
export async function appliedClickHouse(client: ClickHouseClient): Promise<Map<string, string>> {
  const answer = await client.query({
    query: "SELECT name, sha256 FROM schema_migrations FINAL",
    format: "JSONEachRow",
  });
  const rows = await answer.json<{ name: string; sha256: string }>();
  return new Map(rows.map((row) => [row.name, row.sha256]));
}

/**
 * Deletes the records of the files that a baseline replaces. The database has its tables and views already, so that its
 * statements change nothing; an interrupted start is repeated as if there were no records.
 */
async function dropReplaced(
  client: ClickHouseClient,
  { name, replaces }: Migration,
  applied: ReadonlyMap<string, string>,
): Promise<void> {
  if (replaces === undefined || applied.size === 0) return;
  if (!applied.has(replaces)) {
    const last = [...applied.keys()].sort().at(-1);
    throw new Error(
      `ClickHouse's database was made by a version of svc that this one cannot upgrade: its last migration is ${last}, and ${name} replaces all up to ${replaces}. Start the last version that contains ${replaces} once on this database, or begin with an empty one.`,
    );
  }
  await client.command({ query: "TRUNCATE TABLE schema_migrations" });
}

async function apply(client: ClickHouseClient, { name, sha256, statements }: Migration): Promise<void> {
  for (const query of statements) {
    try {
      await client.command({ query });
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new Error(`${name} failed at "${firstLine(query)}": ${why}`, { cause });
    }
  }
  await client.insert({ table: "schema_migrations", values: [{ name, sha256 }], format: "JSONEachRow" });
}

/** All migrations in order. */
export async function readClickHouseMigrations(dir: string): Promise<Migration[]> {
  const names = (await readdir(dir)).filter((name) => name.endsWith(".sql")).sort();
  return await Promise.all(names.map((name, index) => readMigration(dir, name, index + 1)));
}

async function readMigration(dir: string, name: string, expected: number): Promise<Migration> {
  if (Number(FILE.exec(name)?.[1]) !== expected) {
    throw new Error(`${name} is not number ${expected} of the migrations; name it like 0002_more.sql without gaps.`);
  }
  const text = await readFile(path.join(dir, name), "utf8");
  const statements = splitStatements(text);
  const unsafe = statements.find((statement) => !REPEATABLE.test(bare(statement)));
  if (unsafe !== undefined) {
    throw new Error(
      `${name} contains "${firstLine(unsafe)}", which must not run twice; use IF NOT EXISTS or IF EXISTS.`,
    );
  }
  return { name, sha256: sha256(text), statements, replaces: REPLACES.exec(text)?.[1] };
}

/** A statement without its leading comments, on one line. */
const bare = (statement: string): string =>
  statement
    .replace(/^\s*(--[^\n]*\n\s*)+/, "")
    .replace(/\s+/g, " ")
    .trim();

const firstLine = (statement: string): string => bare(statement).slice(0, 80);
