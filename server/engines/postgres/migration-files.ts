import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { MigrationList } from "@prisma/schema-engine-wasm";

const SNAPSHOT = "schema.snapshot.prisma";
const LOCKFILE = "migration_lock.toml";
const LOCK_TEXT = `# Says which database these migrations are for; Prisma Migrate reads it.\nprovider = "postgresql"\n`;

export const migrationsDir = (rootDir: string): string => path.join(rootDir, "prisma", "migrations");

export const readSchema = (rootDir: string): Promise<string> =>
  readFile(path.join(rootDir, "prisma", "schema.prisma"), "utf8");

/** Every migration in order, in the form that the schema engine takes. */
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

/** What schema.prisma said when the last migration was written; undefined before the first one. */
export async function lastSnapshot(rootDir: string): Promise<string | undefined> {
  const last = (await migrationNames(rootDir)).at(-1);
  return last === undefined ? undefined : readFile(path.join(migrationsDir(rootDir), last, SNAPSHOT), "utf8");
}

export interface NewMigration {
  name: string;
  sql: string;
  schema: string;
}

/** Writes the folder and answers its name, `<14 digits of UTC time>_<name>`. */
export async function writeMigration(rootDir: string, now: Date, migration: NewMigration): Promise<string> {
  const stamp = now.toISOString().replace(/\D/g, "").slice(0, 14);
  const folder = `${stamp}_${migration.name}`;
  const dir = path.join(migrationsDir(rootDir), folder);
  await mkdir(dir, { recursive: true });
  await writeFile(path.join(dir, "migration.sql"), migration.sql);
  await writeFile(path.join(dir, SNAPSHOT), migration.schema);
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
