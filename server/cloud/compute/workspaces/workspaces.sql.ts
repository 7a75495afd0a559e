import type { Pool } from "pg";

type Sql = Pick<Pool, "query">;

/** The others follow in the next round. */
export const PER_ROUND = 100;

/** Records that a workspace was used. */
export async function recordUsed(sql: Sql, id: string, at: Date): Promise<void> {
  await sql.query(
    "UPDATE workspaces SET last_used_at = $2 WHERE id = $1 AND last_used_at < $2::timestamptz - interval '5 seconds'",
    [id, at],
  );
}

const STOPS_AT = "greatest(w.last_used_at, p.started_at) + make_interval(secs => w.idle_timeout_seconds)";
const MAY_STOP = "p.status = 'ready' AND p.deleted_at IS NULL AND w.idle_timeout_seconds > 0";

/** When the next workspace has not been used for its idle time-out. */
export const NEXT_IDLE_WORKSPACE = `SELECT min(${STOPS_AT}) FROM workspaces w JOIN pods p ON p.id = w.id WHERE ${MAY_STOP}`;

/** Workspaces that run and were not used for their idle time-out. */
export async function idleWorkspaces(sql: Sql, now: Date): Promise<string[]> {
  const { rows } = await sql.query<{ id: string }>(
    `SELECT w.id FROM workspaces w JOIN pods p ON p.id = w.id
     WHERE ${MAY_STOP} AND ${STOPS_AT} <= $1 ORDER BY w.id LIMIT ${PER_ROUND}`,
    [now],
  );
  return rows.map(({ id }) => id);
}

/** Workspaces that have started or ended, which was not announced. */
export async function changedWorkspaces(sql: Sql): Promise<string[]> {
  const { rows } = await sql.query<{ id: string }>(
    `SELECT w.id FROM workspaces w JOIN pods p ON p.id = w.id
     WHERE p.deleted_at IS NULL AND p.status IN ('ready', 'stopped', 'completed', 'failed')
       AND w.announced <> p.run_number || ' ' || p.status ORDER BY w.id LIMIT ${PER_ROUND}`,
  );
  return rows.map(({ id }) => id);
}
