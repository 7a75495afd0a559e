import { Logger, runMigrations } from "graphile-worker";
import type { Pool } from "pg";
import { WAKE_CHANNEL } from "../postgres/postgres-alarms";
import { createJobsPool } from "./create-jobs-pool";

/** An arbitrary lock id that nothing else uses ("jobs" in ASCII). */
const MIGRATION_LOCK = 0x6a6f6273;

/** The worker is told of jobs that can run now; the clock of background work has to know when the others can. */
const WAKE_LATER_JOBS = `
  CREATE OR REPLACE FUNCTION graphile_worker.svc_wake_later_jobs() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM pg_notify('${WAKE_CHANNEL}', 'jobs');
    RETURN NULL;
  END $$;
  CREATE OR REPLACE TRIGGER svc_wake_later_jobs AFTER INSERT OR UPDATE ON graphile_worker._private_jobs FOR EACH ROW
    WHEN (NEW.run_at > now() AND NEW.locked_at IS NULL) EXECUTE FUNCTION graphile_worker.svc_wake_later_jobs()`;

/** Creates or updates graphile-worker's schema; processes that start at the same time take turns. */
export async function migrateJobs(pool: Pool): Promise<void> {
  const own = createJobsPool(pool, 2);
  const client = await own.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [MIGRATION_LOCK]);
    await runMigrations({ pgPool: own, logger: new Logger(() => () => undefined) });
    await client.query(WAKE_LATER_JOBS);
  } finally {
    // Closing the connection releases the lock.
    client.release(true);
    await own.end();
  }
}
