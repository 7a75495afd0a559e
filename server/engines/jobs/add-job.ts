import type { Pool, PoolClient } from "pg";
import type { Prisma } from "../postgres/generated/client";

/** A connection to write a job with: a Prisma client or transaction, or a pg pool or client. */
type JobStore = Pick<Prisma.TransactionClient, "$queryRaw"> | Pick<Pool | PoolClient, "query">;

interface JobSpec {
  task: string;
  /** Maximum number of runs; graphile-worker waits exp(min(runs, 10)) seconds between them. Default 25. */
  attemptsMax?: number;
  /** Not before this time; default at once. */
  runAt?: Date;
  /** At most one waiting job has this key; a later one replaces it. */
  key?: string;
}

/**
 * Writes a job with the given transaction or connection: it runs if and only if that commits. `payload` is stored as
 * unencrypted JSON, so it must contain ids, never secrets. Requires `migrateJobs` to have run.
 */
export async function addJob(store: JobStore, job: string | JobSpec, payload: object): Promise<void> {
  const { task, attemptsMax = null, runAt = null, key = null } = typeof job === "string" ? { task: job } : job;
  const json = JSON.stringify(payload);
  if ("$queryRaw" in store) {
    await store.$queryRaw`
      select id::text from graphile_worker.add_job(${task}, ${json}::json, run_at => ${runAt}::timestamptz,
        max_attempts => ${attemptsMax}::int, job_key => ${key}::text)`;
    return;
  }
  await store.query(
    `select id from graphile_worker.add_job($1, $2::json, run_at => $3::timestamptz,
       max_attempts => $4::int, job_key => $5::text)`,
    [task, json, runAt, attemptsMax, key],
  );
}
