import type { Pool } from "pg";

/** As the index `resources_ready_endpoints_idx` has it. */
const IS_READY = `plane = 'gpuc' AND service = 'inference' AND state = 'ready' AND failures = 0 AND archived_at IS NULL`;

export const READY_ENDPOINTS = `SELECT FROM resources WHERE ${IS_READY}`;

/** The next endpoints after an id, the first ones after "". */
export async function endpointsAfter(sql: Pool, { after, max }: { after: string; max: number }): Promise<string[]> {
  const { rows } = await sql.query<{ id: string }>(
    `SELECT id FROM resources WHERE ${IS_READY} AND id > $1 ORDER BY id LIMIT $2`,
    [after, max],
  );
  return rows.map(({ id }) => id);
}

/** Endpoints that got requests since a time, and those with replicas that begin, end or do not respond. */
export async function activeEndpoints(sql: Pool, since: Date): Promise<string[]> {
  const { rows } = await sql.query<{ id: string }>(
    `SELECT id FROM resources WHERE ${IS_READY} AND id IN (
      SELECT endpoint_id FROM inference_loads WHERE seen_at >= $1
      UNION SELECT endpoint_id FROM inference_replicas WHERE unready_at IS NOT NULL OR draining_at IS NOT NULL)`,
    [since],
  );
  return rows.map(({ id }) => id);
}
