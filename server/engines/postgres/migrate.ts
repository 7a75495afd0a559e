import type { DiagnoseMigrationHistoryOutput, DiffTarget, SchemaEngine } from "@prisma/schema-engine-wasm";
import { Client, Pool } from "pg";
import { lastSnapshot, readMigrations, readSchema, writeMigration } from "./migration-files";
import { openOfflineSchemaEngine, openSchemaEngine } from "./schema-engine";

const FILTERS = { externalTables: [], externalEnums: [] };
/** Arbitrary, but fixed: every process that migrates takes this advisory lock first ("svcm" in ASCII). */
const MIGRATE_LOCK = 0x73_76_63_6d;
const NAME = /^[a-z][a-z0-9_]{0,59}$/;

/**
 * Applies what is pending, in order, and answers the names. Safe to run from several processes at once: they queue.
 * Throws one sentence when a migration fails; that one is rolled back, and blocks later ones until it is resolved.
 */
export async function deployMigrations(url: string, rootDir: string): Promise<string[]> {
  const migrationsList = await readMigrations(rootDir);
  return withMigrateLock(url, () =>
    withEngine(url, rootDir, async (engine) => {
      const { appliedMigrationNames } = await engine.applyMigrations({ migrationsList, filters: FILTERS });
      return appliedMigrationNames;
    }),
  );
}

/** Where the database's history stands against the folder: pending, failed and edited migrations. */
export async function migrationStatus(url: string, rootDir: string): Promise<DiagnoseMigrationHistoryOutput> {
  const migrationsList = await readMigrations(rootDir);
  return withEngine(url, rootDir, (engine) =>
    engine.diagnoseMigrationHistory({ migrationsList, optInToShadowDatabase: false, filters: FILTERS }),
  );
}

/** Clears a failed migration, so that the next deploy tries it again; its row stays for the record. */
export async function resolveMigration(url: string, rootDir: string, migrationName: string): Promise<void> {
  await withMigrateLock(url, () =>
    withEngine(url, rootDir, (engine) => engine.markMigrationRolledBack({ migrationName })),
  );
}

/** The SQL that schema.prisma has and the last migration lacks; undefined when they agree. Needs no database. */
export async function verifyMigrations(rootDir: string): Promise<string | undefined> {
  const [schema, snapshot] = [await readSchema(rootDir), await lastSnapshot(rootDir)];
  const engine = await openOfflineSchemaEngine({ rootDir, schema });
  try {
    const from: DiffTarget = snapshot === undefined ? { tag: "empty" } : datamodel(snapshot);
    const diff = await engine.diff({ from, to: datamodel(schema), script: true, exitCode: true, filters: FILTERS });
    return diff.exitCode === 0 ? undefined : (diff.stdout ?? "");
  } catch (cause) {
    throw readable(cause);
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
 * Writes a migration with what changed in schema.prisma since the last one, and answers its folder's name; undefined
 * when nothing changed. A renamed column shows as drop and add: edit the SQL by hand before the first deploy.
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

const datamodel = (content: string): DiffTarget => ({
  tag: "schemaDatamodel",
  files: [{ path: "prisma/schema.prisma", content }],
});

/** One connection only: the engine's own advisory lock must be taken and released by the same session. */
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
  } catch (cause) {
    throw readable(cause);
  } finally {
    await sql.end();
  }
}

/** The engine waits 10 s for its own lock and then fails; ours waits as long as the other deploy takes. */
async function withMigrateLock<T>(url: string, run: () => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("SELECT pg_advisory_lock($1)", [MIGRATE_LOCK]);
    return await run();
  } finally {
    await client.end();
  }
}

/** The engine's errors carry pages of advice about a command line that svc does not use. */
function readable(cause: unknown): Error {
  const text = cause instanceof Error ? cause.message : String(cause);
  const failed =
    /migration_name="([^"]+)"/.exec(text)?.[1] ?? /The `([^`]+)` migration started at .* failed/.exec(text)?.[1];
  if (/schema is not empty/.test(text)) {
    return new Error(
      "The database holds tables that are not svc's: set DATABASE_URL to an empty database of its own.",
      {
        cause,
      },
    );
  }
  if (failed === undefined) return cause instanceof Error ? cause : new Error(text);
  const detail = /Error querying the database: (.*)|Database error:\s*(.*)/.exec(text);
  const reason = detail
    ? `failed and was rolled back: ${detail[1] ?? detail[2]}`
    : "failed earlier and blocks what follows";
  return new Error(
    `The migration ${failed} ${reason}. Correct its cause, then run: npm run db -- resolve ${failed}, and deploy again.`,
    { cause },
  );
}
