import { Logger, runMigrations } from "graphile-worker";
import type { Pool } from "pg";
import { createJobsPool } from "./create-jobs-pool";

/** An arbitrary lock id that nothing else uses ("jobs" in ASCII). */
const MIGRATION_LOCK = 0x6a6f6273;

/** Creates or updates graphile-worker's schema; processes that start at the same time take turns. */
export async function migrateJobs(pool: Pool): Promise<void> {
  const own = createJobsPool(pool, 2);
  const client = await own.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [MIGRATION_LOCK]);
    await runMigrations({ pgPool: own, logger: new Logger(() => () => undefined) });
  } finally {
    // Closing the connection releases the lock.
    client.release(true);
    await own.end();
  }
}
