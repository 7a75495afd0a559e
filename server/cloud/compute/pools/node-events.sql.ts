import type { Pool } from "pg";
import type { NodeSeverity } from "./node-health";

/** The last health event of a node, and how many critical ones it had since a time. */
export interface HealthLine {
  pool: string;
  node: string;
  at: Date;
  severity: NodeSeverity;
  kind: string;
  message: string;
  crits: number;
}

/** Of the nodes of all pools, or of one, that had events. */
export async function healthOfNodes(
  sql: Pick<Pool, "query">,
  { since, pool }: { since: Date; pool: string | undefined },
): Promise<HealthLine[]> {
  const { rows } = await sql.query<HealthLine>(
    `SELECT DISTINCT ON (pool, node) pool, node, at, severity, kind, message,
       (count(*) FILTER (WHERE severity = 'crit' AND at > $1) OVER (PARTITION BY pool, node))::int AS crits
     FROM gpu_node_events WHERE $2::text IS NULL OR pool = $2 ORDER BY pool, node, number DESC`,
    [since, pool ?? null],
  );
  return rows;
}
