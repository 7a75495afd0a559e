import type { DiagnoseMigrationHistoryOutput, DiffTarget, SchemaEngine } from "@prisma/schema-engine-wasm";
import { Pool } from "pg";
import {
  lastSnapshot,
  readMigrationScripts,
  readMigrations,
  readSchema,
  type SchemaFile,
  SNAPSHOT,
  writeMigration,
} from "./migration-files";
import { openOfflineSchemaEngine, openSchemaEngine } from "./schema-engine";

const FILTERS = { externalTables: [], externalEnums: [] };
const NAME = /^[a-z][a-z0-9_]{0,59}$/;

/** How the database's history differs from the folder: pending, failed and edited migrations. */
export async function migrationStatus(url: string, rootDir: string): Promise<DiagnoseMigrationHistoryOutput> {
  const migrationsList = await readMigrations(rootDir);
  return withEngine(url, rootDir, (engine) =>
    engine.diagnoseMigrationHistory({ migrationsList, optInToShadowDatabase: false, filters: FILTERS }),
  );
}

/**
 * The SQL that prisma/schema has and the migrations lack; undefined if they match. Needs no database. Throws an error
 * of one sentence for a migration that could not be resumed after a crash.
 */
export async function verifyMigrations(rootDir: string): Promise<string | undefined> {
  await readMigrationScripts(rootDir);
  const [schema, snapshot] = [await readSchema(rootDir), await lastSnapshot(rootDir)];
  const engine = await openOfflineSchemaEngine({ rootDir, schema });
  try {
    const from: DiffTarget =
      snapshot === undefined ? { tag: "empty" } : datamodel([{ path: SNAPSHOT, content: snapshot }]);
    const diff = await engine.diff({ from, to: datamodel(schema), script: true, exitCode: true, filters: FILTERS });
    return diff.exitCode === 0 ? undefined : (diff.stdout ?? "");
  } finally {
    engine.free();
  }
}

export interface CreateMigration {
  rootDir: string;
  /** Lower case letters, digits and underscores. */
  name: string;
  now: Date;
}

/**
 * Writes a migration with the changes in prisma/schema since the last one, and returns its folder's name; undefined if
 * nothing changed. A renamed column appears as drop and add: edit the SQL by hand before the first deploy.
 */
export async function createMigration({ rootDir, name, now }: CreateMigration): Promise<string | undefined> {
  if (!NAME.test(name)) {
    throw new Error(
      `The migration name "${name}" must be lower case letters, digits and underscores, such as add_tags.`,
    );
  }
  const sql = await verifyMigrations(rootDir);
  if (sql === undefined) return undefined;
  return writeMigration(rootDir, now, { name, sql, schema: await readSchema(rootDir) });
}

const datamodel = (files: readonly SchemaFile[]): DiffTarget => ({ tag: "schemaDatamodel", files: [...files] });

async function withEngine<T>(url: string, rootDir: string, run: (engine: SchemaEngine) => Promise<T>): Promise<T> {
  const sql = new Pool({ connectionString: url, max: 1 });
  sql.on("error", () => undefined);
  try {
    const engine = await openSchemaEngine({ rootDir, schema: await readSchema(rootDir) }, sql);
    try {
      return await run(engine);
    } finally {
      engine.free();
    }
  } finally {
    await sql.end();
  }
}
