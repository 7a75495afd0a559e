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

export interface MigrationRecord {
  id: string;
  finished: boolean;
}

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

/** The record of each migration, by name; a migration that was given up counts as never tried. */
export async function readRecords(client: ClientBase): Promise<Map<string, MigrationRecord>> {
  const { rows } = await client.query<MigrationRecord & { name: string }>(
    `SELECT migration_name AS name, id, finished_at IS NOT NULL AS finished FROM "_prisma_migrations"
     WHERE rolled_back_at IS NULL ORDER BY finished, started_at`,
  );
  return new Map(rows.map(({ name, ...record }) => [name, record]));
}

/** Records a migration in the current transaction. */
export async function recordApplied(client: ClientBase, { name, checksum }: MigrationScript): Promise<void> {
  await client.query(
    `INSERT INTO "_prisma_migrations" (id, checksum, migration_name, finished_at, applied_steps_count)
     VALUES ($1, $2, $3, clock_timestamp(), 1)`,
    [randomUUID(), checksum, name],
  );
}

/** For an unfinished record whose script turned out to be applied. */
export async function finishRecord(client: ClientBase, id: string): Promise<void> {
  await client.query(
    `UPDATE "_prisma_migrations" SET finished_at = now(), applied_steps_count = 1, logs = NULL WHERE id = $1`,
    [id],
  );
}

/** For an unfinished record whose script turned out not to be applied; the row is kept for the history. */
export async function giveUpRecord(client: ClientBase, id: string): Promise<void> {
  await client.query(`UPDATE "_prisma_migrations" SET rolled_back_at = now() WHERE id = $1`, [id]);
}
