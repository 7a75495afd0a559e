import { Logger, runMigrations } from "graphile-worker";
import type { Pool } from "pg";
import { lockAlone } from "../postgres/named-lock";
import { createJobsPool } from "./create-jobs-pool";

/** Created once: replacing it at each start would lock the table against the workers of other processes. */
const WAKE_JOBS = `
  DO $$ BEGIN
    IF NOT EXISTS (SELECT FROM pg_trigger WHERE tgname = 'svc_wake_jobs') THEN
      CREATE TRIGGER svc_wake_jobs AFTER INSERT OR UPDATE ON graphile_worker._private_jobs FOR EACH ROW
        WHEN (NEW.locked_at IS NULL) EXECUTE FUNCTION public.wake_rounds('jobs');
    END IF;
  END $$`;

/** Creates or updates graphile-worker's schema, after the migrations of svc's own; processes that start at the same time take turns. */
export async function migrateJobs(pool: Pool): Promise<void> {
  const own = createJobsPool(pool, 2);
  const client = await own.connect();
  try {
    await lockAlone(client, "jobs-migration");
    await runMigrations({ pgPool: own, logger: new Logger(() => () => undefined) });
    await client.query(WAKE_JOBS);
  } finally {
    // Closing the connection releases the lock.
    client.release(true);
    await own.end();
  }
}
