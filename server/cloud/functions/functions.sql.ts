import type { Pool } from "pg";
import { ServiceError } from "../../kernel/errors";
import type { ModuleCode } from "./function-runner";
import type { FunctionVersion } from "./function-version";

/** Throws `not_found` for a version that is not kept any more. */
export async function versionCode(
  sql: Pool,
  { functionId, version }: { functionId: string; version: number },
): Promise<ModuleCode> {
  const { rows } = await sql.query<ModuleCode>(
    "SELECT code, entry FROM function_versions WHERE function_id = $1 AND number = $2",
    [functionId, version],
  );
  const [row] = rows;
  if (row) return row;
  throw new ServiceError("not_found", `The function has no version ${version} any more.`);
}

/** An invocation that begins. */
export interface ClaimedInvocation {
  id: string;
  functionId: string;
  version: number;
  payload: string;
  scheduledAt: Date | null;
  attempt: number;
}

/**
 * Begins up to `max` invocations that wait, the oldest first, of functions that may run more often; each is returned by
 * one call of all processes.
 */
export async function claimInvocations(
  sql: Pool,
  { now, max }: { now: Date; max: number },
): Promise<ClaimedInvocation[]> {
  const { rows } = await sql.query<ClaimedInvocation>(
    `UPDATE function_invocations SET status = 'running', started_at = $1, attempt = attempt + 1
      WHERE id IN (
        SELECT i.id FROM function_invocations i JOIN functions f ON f.id = i.function_id
        WHERE i.status = 'queued' AND (i.due_at IS NULL OR i.due_at <= $1) AND f.concurrency_max > (
          SELECT count(*) FROM function_invocations r WHERE r.status = 'running' AND r.function_id = i.function_id)
        ORDER BY i.id LIMIT $2 FOR UPDATE OF i SKIP LOCKED)
      RETURNING id, function_id AS "functionId", version, payload, scheduled_at AS "scheduledAt", attempt`,
    [now, max],
  );
  return rows;
}

/** When a schedule or an invocation that waits is due. */
export const NEXT_INVOCATION = `SELECT least(
  (SELECT next_run_at FROM functions WHERE next_run_at IS NOT NULL ORDER BY next_run_at LIMIT 1),
  (SELECT min(coalesce(i.due_at, i.created_at)) FROM function_invocations i JOIN functions f ON f.id = i.function_id
   WHERE i.status = 'queued'))`;

/** Lets an invocation wait again that could not begin. */
export async function requeueInvocation(
  sql: Pool,
  { id, attempt }: Pick<ClaimedInvocation, "id" | "attempt">,
  dueAt: Date,
): Promise<void> {
  await sql.query(
    `UPDATE function_invocations SET status = 'queued', started_at = NULL, attempt = attempt - 1, due_at = $3
      WHERE id = $1 AND status = 'running' AND attempt = $2`,
    [id, attempt, dueAt],
  );
}

/** Ends those whose process ended while they ran and that do not run again, and those of functions that are deleted. */
export async function failAbandoned(
  sql: Pool,
  { now, startedBefore, error }: { now: Date; startedBefore: Date; error: string },
): Promise<void> {
  await sql.query(
    `UPDATE function_invocations i SET status = 'queued', started_at = NULL, error = $3, due_at = $1
      FROM functions f WHERE f.id = i.function_id AND i.status = 'running' AND i.started_at < $2
        AND i.attempt <= f.retries_max`,
    [now, startedBefore, error],
  );
  await sql.query(
    `UPDATE function_invocations i SET status = 'failed', ended_at = $1, error = $3, payload = NULL
      WHERE (i.status = 'running' AND i.started_at < $2)
        OR (i.status = 'queued' AND NOT EXISTS (SELECT 1 FROM functions f WHERE f.id = i.function_id))`,
    [now, startedBefore, error],
  );
}

/** Deletes ended and counted invocations that are older, and all but the last `kept` of a function. */
export async function forgetInvocations(sql: Pool, { before, kept }: { before: Date; kept: number }): Promise<void> {
  await sql.query("DELETE FROM function_invocations WHERE created_at < $1 AND is_counted", [before]);
  await sql.query(
    `DELETE FROM function_invocations WHERE id IN (
      SELECT id FROM (
        SELECT id, is_counted, row_number() OVER (PARTITION BY function_id ORDER BY id DESC) AS rank
        FROM function_invocations
      ) ranked WHERE rank > $1 AND is_counted)`,
    [kept],
  );
}

/** Adds invocations that have ended to what their functions have used, each once; `before` bounds what is kept. */
export async function countInvocations(sql: Pool, { before }: { before: Date }): Promise<void> {
  await sql.query(
    `WITH counted AS (
        UPDATE function_invocations SET is_counted = true WHERE NOT is_counted AND status IN ('succeeded', 'failed')
        RETURNING function_id, date_trunc('hour', ended_at, 'UTC') AS hour, tenant_id, project_id, mode, runs, memory_ms)
      INSERT INTO function_hours AS h (function_id, hour, tenant_id, project_id, mode, runs, memory_ms)
      SELECT function_id, hour, tenant_id, project_id, mode, sum(runs), sum(memory_ms) FROM counted
      GROUP BY function_id, hour, tenant_id, project_id, mode ORDER BY function_id, hour
      ON CONFLICT (function_id, hour) DO UPDATE
        SET runs = h.runs + excluded.runs, memory_ms = h.memory_ms + excluded.memory_ms`,
  );
  await sql.query("DELETE FROM function_hours WHERE hour < $1", [before]);
}

/** The versions of a function, newest first, without their code. */
export async function versionsOf(sql: Pool, functionId: string): Promise<FunctionVersion[]> {
  const { rows } = await sql.query<Omit<FunctionVersion, "created_at"> & { created_at: Date }>(
    `SELECT number AS version, entry AS handler, octet_length(code) AS code_bytes, created_at
      FROM function_versions WHERE function_id = $1 ORDER BY number DESC`,
    [functionId],
  );
  return rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }));
}
