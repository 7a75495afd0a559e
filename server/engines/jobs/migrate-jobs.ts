import { Logger, runMigrations } from "graphile-worker";
import type { Pool } from "pg";
import { createJobsPool } from "./create-jobs-pool";

/** Any number that nothing else locks by; it spells "jobs" in ASCII. */
const MIGRATION_LOCK = 0x6a6f6273;

/** Creates or updates graphile-worker's own schema; processes that start together take turns. */
export async function migrateJobs(pool: Pool): Promise<void> {
  const own = createJobsPool(pool, 2);
  const client = await own.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [MIGRATION_LOCK]);
    await runMigrations({ pgPool: own, logger: new Logger(() => () => undefined) });
  } finally {
    // Ending the connection gives the lock back.
    client.release(true);
    await own.end();
  }
}
