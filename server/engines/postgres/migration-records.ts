import { randomUUID } from "node:crypto";
import type { ClientBase } from "pg";
import type { MigrationScript } from "./migration-files";

/** Prisma's own table, with identical columns, so that `prisma migrate status` can read it. */
const TABLE = `CREATE TABLE "_prisma_migrations" (
  id VARCHAR(36) PRIMARY KEY NOT NULL,
  checksum VARCHAR(64) NOT NULL,
  finished_at TIMESTAMPTZ,
  migration_name VARCHAR(255) NOT NULL,
  logs TEXT,
  rolled_back_at TIMESTAMPTZ,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  applied_steps_count INTEGER NOT NULL DEFAULT 0
)`;

/** Creates the table of records unless it exists. Throws if the database contains foreign tables. */
export async function createRecords(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ records: boolean; others: boolean }>(
    `SELECT count(*) FILTER (WHERE relname = '_prisma_migrations') > 0 AS records, count(*) > 0 AS others
     FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'f')`,
  );
  if (rows[0]?.records) return;
  if (rows[0]?.others) {
    throw new Error(
      "The database contains tables that do not belong to svc: set DATABASE_URL to an empty database of its own.",
    );
  }
  await client.query(TABLE);
}

/** The names of the applied migrations, in order. */
export async function readApplied(client: ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT migration_name AS name FROM "_prisma_migrations"
     WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name COLLATE "C"`,
  );
  return rows.map(({ name }) => name);
}

/** Records a migration in the current transaction. */
export async function recordApplied(client: ClientBase, { name, checksum }: MigrationScript): Promise<void> {
  await client.query(
    `INSERT INTO "_prisma_migrations" (id, checksum, migration_name, finished_at, applied_steps_count)
     VALUES ($1, $2, $3, clock_timestamp(), 1)`,
    [randomUUID(), checksum, name],
  );
}

/** Deletes the records of the migrations before one, by name. */
export async function dropRecordsBefore(client: ClientBase, name: string): Promise<void> {
  await client.query(`DELETE FROM "_prisma_migrations" WHERE migration_name COLLATE "C" < $1`, [name]);
}
