import type { DiagnoseMigrationHistoryOutput, SchemaEngine } from "@prisma/schema-engine-wasm";
import { Pool } from "pg";
import { deployMigrations } from "./deploy-migrations";
import {
  type HandWrittenObjects,
  readHandWrittenObjects,
  readMigrations,
  readSchema,
  writeMigration,
} from "./migration-files";
import { openSchemaEngine } from "./schema-engine";

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
 * The SQL that prisma/schema has and the migrations lack; undefined if they match. Applies all migrations to `scratchUrl`,
 * a database without any table, and compares the tables that it has then with those of the schema. Throws an error of one
 * sentence for a migration that fails or that could not be resumed after a crash.
 */
export async function verifyMigrations(rootDir: string, scratchUrl: string): Promise<string | undefined> {
  await deployMigrations(scratchUrl, rootDir);
  const [files, byHand] = [await readSchema(rootDir), await readHandWrittenObjects(rootDir)];
  const filters = { externalTables: byHand.tables.map((name) => `public.${name}`), externalEnums: [] };
  const diff = await withEngine(scratchUrl, rootDir, (engine) =>
    engine.diff({
      from: { tag: "schemaDatasource", files, configDir: rootDir },
      to: { tag: "schemaDatamodel", files },
      script: true,
      exitCode: true,
      filters,
    }),
  );
  const missing = withoutIndexes(diff.stdout ?? "", byHand);
  return missing === "" ? undefined : missing;
}

/** Without the statements that create or drop an index that migrations create by hand. */
function withoutIndexes(script: string, { indexes }: HandWrittenObjects): string {
  const statements = script.split(/\n\n(?=-- )/).map((text) => text.trim());
  const kept = statements.filter((text) => {
    const index = /^(?:CREATE (?:UNIQUE )?|DROP )INDEX "([^"]+)"/m.exec(text)?.[1];
    return text !== "" && !/^-- This is an empty migration\.$/.test(text) && !(index && indexes.includes(index));
  });
  return kept.map((text) => `${text}\n`).join("\n");
}

export interface CreateMigration {
  rootDir: string;
  /** Lower case letters, digits and underscores. */
  name: string;
  now: Date;
  /** A database without any table, which receives the migrations. */
  scratchUrl: string;
}

/**
 * Writes a migration with the changes in prisma/schema since the last one, and returns its folder's name; undefined if
 * nothing changed. A renamed column appears as drop and add: edit the SQL by hand before the first deploy.
 */
export async function createMigration(options: CreateMigration): Promise<string | undefined> {
  const { rootDir, name, now, scratchUrl } = options;
  if (!NAME.test(name)) {
    throw new Error(
      `The migration name "${name}" must be lower case letters, digits and underscores, such as add_tags.`,
    );
  }
  const sql = await verifyMigrations(rootDir, scratchUrl);
  return sql === undefined ? undefined : writeMigration(rootDir, now, { name, sql });
}

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
