import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { MigrationList } from "@prisma/schema-engine-wasm";
import { sha256 } from "../../kernel/secrets";
import { statementsWithoutTransaction } from "./migration-statements";

const SCHEMA_DIR = "prisma/schema";
const LOCKFILE = "migration_lock.toml";
const LOCK_TEXT = `# Says which database these migrations are for; Prisma Migrate reads it.\nprovider = "postgresql"\n`;

export const migrationsDir = (rootDir: string): string => path.join(rootDir, "prisma", "migrations");

/** What migrations create by hand and Prisma's schema does not know, from prisma/by-hand.json. */
export interface HandWrittenObjects {
  tables: readonly string[];
  indexes: readonly string[];
}

/** A file of the schema: its path in the project, and its text. */
export interface SchemaFile {
  path: string;
  content: string;
}

/** All files of prisma/schema, sorted by name; together they form one schema. */
export async function readSchema(rootDir: string): Promise<SchemaFile[]> {
  const names = (await readdir(path.join(rootDir, SCHEMA_DIR))).filter((name) => name.endsWith(".prisma")).sort();
  return Promise.all(
    names.map(async (name) => {
      const file = path.posix.join(SCHEMA_DIR, name);
      return { path: file, content: await readFile(path.join(rootDir, file), "utf8") };
    }),
  );
}

/** Empty if the project has no such file. */
export async function readHandWrittenObjects(rootDir: string): Promise<HandWrittenObjects> {
  const file = path.join(rootDir, "prisma", "by-hand.json");
  if (!existsSync(file)) return { tables: [], indexes: [] };
  return JSON.parse(await readFile(file, "utf8")) as HandWrittenObjects;
}

/** Every migration in order, in the format of the schema engine. */
export async function readMigrations(rootDir: string): Promise<MigrationList> {
  const baseDir = migrationsDir(rootDir);
  const names = await migrationNames(rootDir);
  const lock = path.join(baseDir, LOCKFILE);
  return {
    baseDir,
    shadowDbInitScript: "",
    lockfile: { path: LOCKFILE, content: existsSync(lock) ? await readFile(lock, "utf8") : null },
    migrationDirectories: await Promise.all(
      names.map(async (name) => ({
        path: name,
        migrationFile: {
          path: "migration.sql",
          content: { tag: "ok" as const, value: await readFile(path.join(baseDir, name, "migration.sql"), "utf8") },
        },
      })),
    ),
  };
}

export interface MigrationScript {
  name: string;
  sql: string;
  /** SHA-256 of the file in hexadecimal digits, as Prisma records it. */
  checksum: string;
  /** The statements that run one by one, outside a transaction; undefined for a script that runs as a whole in one. */
  statements: readonly string[] | undefined;
  /** The last of the migrations whose place a baseline takes; undefined for any other migration. */
  replaces: string | undefined;
}

/** The mark of a baseline, on a line of its own. */
const REPLACES = /^-- svc: replaces (\S+)\s*$/m;

/** Every migration in order; throws an error of one sentence for one that could not be resumed after a crash. */
export async function readMigrationScripts(rootDir: string): Promise<MigrationScript[]> {
  const names = await migrationNames(rootDir);
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(path.join(migrationsDir(rootDir), name, "migration.sql"), "utf8");
      return {
        name,
        sql,
        checksum: sha256(sql),
        statements: statementsWithoutTransaction(name, sql),
        replaces: REPLACES.exec(sql)?.[1],
      };
    }),
  );
}

export interface NewMigration {
  name: string;
  sql: string;
}

/** Writes the folder; returns its name, `<14 digits of UTC time>_<name>`. */
export async function writeMigration(rootDir: string, now: Date, migration: NewMigration): Promise<string> {
  const stamp = now.toISOString().replace(/\D/g, "").slice(0, 14);
  const folder = `${stamp}_${migration.name}`;
  const dir = path.join(migrationsDir(rootDir), folder);
  await mkdir(dir, { recursive: true });
  await writeFile(path.join(dir, "migration.sql"), migration.sql);
  await writeFile(path.join(migrationsDir(rootDir), LOCKFILE), LOCK_TEXT);
  return folder;
}

async function migrationNames(rootDir: string): Promise<string[]> {
  const dir = migrationsDir(rootDir);
  if (!existsSync(dir)) return [];
  const entries = await readdir(dir, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}
