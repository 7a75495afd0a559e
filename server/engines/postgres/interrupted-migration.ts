import type { ClientBase } from "pg";
import { describeSchema } from "./describe-schema";
import type { MigrationScript } from "./migration-files";

/** Never committed. */
const SCRATCH = "svc_migration_check";

/**
 * Whether the last of `migrations` is applied, if its record says only that it began. Its script was sent as one
 * implicit transaction, so either all or nothing of it exists. The migrations run once more in a schema that is rolled
 * back, and the database is compared with what the last one adds there. Throws an error of one sentence if only a part
 * of it is found.
 */
export async function wasApplied(client: ClientBase, migrations: readonly MigrationScript[]): Promise<boolean> {
  const last = migrations.at(-1);
  if (!last) return false;
  await client.query("BEGIN");
  try {
    const { rows } = await client.query<{ schema: string }>("SELECT current_schema() AS schema");
    const present = new Set(await describeSchema(client, rows[0]?.schema ?? "public"));
    const added = await describeAdded(client, migrations.slice(0, -1), last);
    const found = added.filter((line) => present.has(line));
    if (found.length === 0 && added.length > 0) return false;
    if (found.length === added.length && added.length > 0) return true;
    const missing = added.find((line) => !present.has(line));
    throw new Error(
      `The migration ${last.name} was interrupted and is only partly applied (missing: ${missing ?? "it changes no table"}): restore a backup, or finish it by hand and set finished_at of its row in _prisma_migrations.`,
    );
  } finally {
    await client.query("ROLLBACK");
  }
}

/** What a migration adds to the schema that the earlier ones create, or changes in it. */
async function describeAdded(
  client: ClientBase,
  before: readonly MigrationScript[],
  last: MigrationScript,
): Promise<string[]> {
  await client.query(`CREATE SCHEMA ${SCRATCH}`);
  await client.query(`SET LOCAL search_path TO ${SCRATCH}`);
  for (const { sql } of before) await client.query(sql);
  const known = new Set(await describeSchema(client, SCRATCH));
  await client.query(last.sql);
  return (await describeSchema(client, SCRATCH)).filter((line) => !known.has(line));
}
