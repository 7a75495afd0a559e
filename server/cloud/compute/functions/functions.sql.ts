import type { Pool } from "pg";
import { LEASE_OWNER, type Lease, LeasedRows } from "../../../engines/postgres/lease";
import { ServiceError } from "../../../kernel/errors";
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

/** The process that runs an invocation for which no client waits. */
export const INVOCATIONS = new LeasedRows({ table: "function_invocations", ms: 60_000, isOpen: "status = 'running'" });

/** An invocation that begins. */
export interface ClaimedInvocation extends Lease {
  tenantId: string;
  functionId: string;
  version: number;
  payload: string;
  scheduledAt: Date | null;
  attempt: number;
}

/** The functions with invocations that wait, each found by one look into the index, however many wait. */
const WAITING_FUNCTIONS = `WITH RECURSIVE waiting AS (
    (SELECT function_id FROM function_invocations WHERE status = 'queued' ORDER BY function_id LIMIT 1)
    UNION ALL
    SELECT (SELECT i.function_id FROM function_invocations i WHERE i.status = 'queued' AND i.function_id > w.function_id
        ORDER BY i.function_id LIMIT 1)
    FROM waiting w WHERE w.function_id IS NOT NULL)`;

export interface ClaimLimits {
  now: Date;
  /** In all. */
  max: number;
  /** How many of each tenant this process runs already. */
  running: ReadonlyMap<string, number>;
}

/**
 * Begins up to `max` invocations that wait, of functions that may run more often; each is returned by one call of all
 * processes. The tenants with the fewest come first, and one alone gets no more than half of what it leaves to others;
 * those of a function begin in order.
 */
export async function claimInvocations(sql: Pool, { now, max, running }: ClaimLimits): Promise<ClaimedInvocation[]> {
  const { rows } = await sql.query<ClaimedInvocation>(
    `${WAITING_FUNCTIONS},
    due AS (
      SELECT i.id, i.tenant_id, i.due FROM waiting w JOIN functions f ON f.id = w.function_id,
        LATERAL (SELECT count(*) AS running FROM function_invocations r
          WHERE r.status = 'running' AND r.function_id = f.id) r,
        LATERAL (SELECT q.id, q.tenant_id, coalesce(q.due_at, q.created_at) AS due FROM function_invocations q
          WHERE q.status = 'queued' AND q.function_id = f.id AND coalesce(q.due_at, q.created_at) <= $1
          ORDER BY coalesce(q.due_at, q.created_at), q.id LIMIT least(greatest(f.concurrency_max - r.running, 0), $2::int)) i),
    placed AS (
      SELECT d.id, d.due, coalesce(t.running, 0) AS running,
        coalesce(t.running, 0) + row_number() OVER (PARTITION BY d.tenant_id ORDER BY d.due, d.id) AS place
      FROM due d LEFT JOIN unnest($3::text[], $4::int[]) AS t(tenant_id, running) USING (tenant_id)),
    next AS (SELECT id FROM placed WHERE place <= ceil(($2::int + running) / 3.0) ORDER BY place, due, id LIMIT $2::int)
    UPDATE function_invocations SET ${INVOCATIONS.taking({ owner: "$5", now: "$1" })},
        status = 'running', started_at = $1, attempt = attempt + 1
      WHERE id IN (SELECT i.id FROM function_invocations i
        WHERE i.id IN (SELECT id FROM next) AND i.status = 'queued' FOR UPDATE OF i SKIP LOCKED)
      RETURNING id, lease_owner AS owner, lease_fence AS fence, tenant_id AS "tenantId", function_id AS "functionId", version, payload,
        scheduled_at AS "scheduledAt", attempt`,
    [now, max, [...running.keys()], [...running.values()], LEASE_OWNER],
  );
  return rows;
}

/** When a schedule or an invocation that waits is due. */
export const NEXT_INVOCATION = `SELECT least(
  (SELECT next_run_at FROM functions WHERE next_run_at IS NOT NULL ORDER BY next_run_at LIMIT 1),
  (SELECT coalesce(due_at, created_at) FROM function_invocations WHERE status = 'queued'
   ORDER BY coalesce(due_at, created_at) LIMIT 1))`;

/** Lets an invocation wait again that could not begin. */
export async function requeueInvocation(sql: Pool, { id, owner, fence }: Lease, dueAt: Date): Promise<void> {
  await sql.query(
    `UPDATE function_invocations SET status = 'queued', started_at = NULL, attempt = attempt - 1, due_at = $4,
        lease_owner = NULL, lease_until = NULL
      WHERE id = $1 AND ${INVOCATIONS.isHeld({ owner: "$2", fence: "$3" })}`,
    [id, owner, fence, dueAt],
  );
}

/** Ends those whose process ended while they ran and that do not run again, and those of functions that are deleted. */
export async function failAbandoned(sql: Pool, { now, error }: { now: Date; error: string }): Promise<void> {
  await sql.query(
    `UPDATE function_invocations i SET status = 'queued', started_at = NULL, error = $2, due_at = $1,
        lease_owner = NULL, lease_until = NULL
      FROM functions f WHERE f.id = i.function_id AND i.status = 'running' AND i.lease_until <= $1
        AND i.attempt <= f.retries_max`,
    [now, error],
  );
  await sql.query(
    `${WAITING_FUNCTIONS}
    UPDATE function_invocations i SET status = 'failed', ended_at = $1, error = $2, payload = NULL,
        lease_owner = NULL, lease_until = NULL
      WHERE (i.status = 'running' AND i.lease_until <= $1)
        OR (i.status = 'queued' AND i.function_id IN (SELECT w.function_id FROM waiting w
          WHERE w.function_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM functions f WHERE f.id = w.function_id)))`,
    [now, error],
  );
}

/** Deletes ended and counted invocations that are older, and of these functions all but the last `kept`. */
export async function forgetInvocations(
  sql: Pool,
  { before, kept, functionIds }: { before: Date; kept: number; functionIds: readonly string[] },
): Promise<void> {
  await sql.query("DELETE FROM function_invocations WHERE created_at < $1 AND is_counted", [before]);
  await sql.query(
    `DELETE FROM function_invocations i USING (
        SELECT f.id AS function_id, o.id FROM unnest($2::text[]) AS f(id), LATERAL (
          SELECT k.id FROM function_invocations k WHERE k.function_id = f.id ORDER BY k.id DESC OFFSET $1 LIMIT 1) o
      ) old WHERE i.function_id = old.function_id AND i.id <= old.id AND i.is_counted`,
    [kept, functionIds],
  );
}

/**
 * Adds invocations that have ended to what their functions have used, each once; `before` bounds what is kept. Returns the
 * functions.
 */
export async function countInvocations(sql: Pool, { before }: { before: Date }): Promise<string[]> {
  const { rows } = await sql.query<{ id: string }>(
    `WITH counted AS (
        UPDATE function_invocations SET is_counted = true WHERE NOT is_counted AND status IN ('succeeded', 'failed')
        RETURNING function_id, date_trunc('hour', ended_at, 'UTC') AS hour, tenant_id, project_id, mode, runs, memory_ms)
      INSERT INTO function_hours AS h (function_id, hour, tenant_id, project_id, mode, runs, memory_ms)
      SELECT function_id, hour, tenant_id, project_id, mode, sum(runs), sum(memory_ms) FROM counted
      GROUP BY function_id, hour, tenant_id, project_id, mode ORDER BY function_id, hour
      ON CONFLICT (function_id, hour) DO UPDATE
        SET runs = h.runs + excluded.runs, memory_ms = h.memory_ms + excluded.memory_ms
      RETURNING h.function_id AS id`,
  );
  await sql.query("DELETE FROM function_hours WHERE hour < $1", [before]);
  return [...new Set(rows.map(({ id }) => id))];
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
