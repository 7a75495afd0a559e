import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { Pool } from "pg";
import { connectPostgres } from "../../server/engines/postgres/connect-postgres";
import { deployMigrations } from "../../server/engines/postgres/deploy-migrations";
import type { PrismaClient } from "../../server/engines/postgres/generated/client";
import { startPostgres } from "../../server/engines/postgres/start-postgres";

const rootDir = path.resolve(import.meta.dirname, "../..");

/** Runs a measurement on a PostgreSQL of its own with svc's tables, whose writes are durable. */
export async function onDurablePostgres(
  measure: (to: { sql: Pool; db: PrismaClient }) => Promise<void>,
): Promise<void> {
  const dir = await mkdtemp(path.join(os.tmpdir(), "svc-bench-"));
  const postgres = await startPostgres({ rootDir, dataDir: path.join(dir, "postgres") });
  try {
    await deployMigrations(postgres.url, rootDir);
    const { sql, db, close } = connectPostgres(postgres.url);
    await measure({ sql, db });
    await close();
  } finally {
    await postgres.stop();
    await rm(dir, { recursive: true, force: true });
  }
}
