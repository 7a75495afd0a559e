import { setTimeout } from "node:timers/promises";
import type { Pool, PoolClient } from "pg";
import { shareForSession, takesNameSql } from "../postgres/named-lock";

/** Of the lock that a runner shares while it is connected. */
const RUNNER = "job-runner:";
/** Within this time a runner whose connection was cut has a new one, and its lock again. */
const RECONNECTED_MS = 10_000;

/** Shows others that a runner is alive, for as long as this connection lasts. */
export const showAlive = (client: PoolClient, runnerId: string): Promise<void> =>
  shareForSession(client, `${RUNNER}${runnerId}`);

/**
 * Makes the jobs available again that runners of killed processes had begun; otherwise they would wait for 4 hours, until
 * graphile-worker takes their locks for lost. Takes 10 s if there are any.
 */
export async function unlockLostJobs(pool: Pool, stopping: AbortSignal): Promise<void> {
  const missing = await runnersWithoutLock(pool);
  if (missing.length === 0) return;
  await setTimeout(RECONNECTED_MS, undefined, { signal: stopping }).catch(() => undefined);
  if (stopping.aborted) return;
  const lost = (await runnersWithoutLock(pool)).filter((id) => missing.includes(id));
  if (lost.length > 0) await unlockJobsOf(pool, lost);
}

/** Makes the jobs available again that these runners had begun. */
export async function unlockJobsOf(pool: Pool, runnerIds: string[]): Promise<void> {
  await pool.query("SELECT graphile_worker.force_unlock_workers($1)", [runnerIds]);
}

/** Who has begun jobs, and is not connected. */
async function runnersWithoutLock(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT locked_by AS id
     FROM (SELECT DISTINCT locked_by FROM graphile_worker._private_jobs WHERE locked_by IS NOT NULL) AS runners
     WHERE ${takesNameSql("$1 || locked_by")}`,
    [RUNNER],
  );
  return rows.map(({ id }) => id);
}
