import path from "node:path";
import { pipeline } from "node:stream/promises";
import type { ClientBase } from "pg";
import { from as copyFrom, to as copyTo } from "pg-copy-streams";
import type { Manifest } from "./manifest";
import { readTable, writeTable } from "./table-file";

const FILE = "postgres/jobs.tsv.gz";

/**
 * Waiting and running jobs as arguments of `add_job`, so that other versions of graphile-worker accept them too; failed
 * jobs without attempts left are excluded. A running job may finish here and still run again in the restored
 * installation, like a job whose worker was killed.
 */
const WAITING = `
  SELECT t.identifier, q.queue_name, j.payload, j.run_at, greatest(1, j.max_attempts - j.attempts) AS attempts, j.key,
    j.priority, CASE WHEN j.flags IS NOT NULL THEN ARRAY(SELECT jsonb_object_keys(j.flags)) END AS flags
  FROM graphile_worker._private_jobs j
  JOIN graphile_worker._private_tasks t ON t.id = j.task_id
  LEFT JOIN graphile_worker._private_job_queues q ON q.id = j.job_queue_id
  WHERE j.attempts < j.max_attempts OR j.locked_at IS NOT NULL
  ORDER BY j.id`;

/** Copies the jobs within the current transaction; undefined if no svc with jobs has started yet. */
export async function copyJobsOut(client: ClientBase, folder: string): Promise<Manifest["postgres"]["jobs"]> {
  const { rows } = await client.query<{ exists: boolean }>(
    "SELECT to_regclass('graphile_worker._private_jobs') IS NOT NULL AS exists",
  );
  if (!rows[0]?.exists) return undefined;
  return writeTable(client.query(copyTo(`COPY (${WAITING}) TO STDOUT`)), { folder, file: FILE });
}

/** Adds the jobs in the current transaction; graphile-worker's tables must exist. */
export async function copyJobsIn(
  client: ClientBase,
  { jobs, folder }: { jobs: Manifest["postgres"]["jobs"]; folder: string },
): Promise<void> {
  if (!jobs) return;
  await client.query(`CREATE TEMPORARY TABLE restored_jobs (
    position serial, identifier text, queue_name text, payload json, run_at timestamptz, attempts int, key text,
    priority int, flags text[]) ON COMMIT DROP`);
  const columns = "identifier, queue_name, payload, run_at, attempts, key, priority, flags";
  const target = client.query(copyFrom(`COPY restored_jobs (${columns}) FROM STDIN`));
  await pipeline(readTable(path.join(folder, jobs.file)).content, target);
  const { rowCount } = await client.query(`
    SELECT (graphile_worker.add_job(identifier, payload, queue_name, run_at, attempts, key, priority, flags)).id
    FROM (SELECT * FROM restored_jobs ORDER BY position) AS jobs`);
  if (rowCount !== jobs.rows) throw new Error(`Jobs: restored ${rowCount} of ${jobs.rows} rows.`);
}
