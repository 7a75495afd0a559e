import type { Pool } from "pg";
import type { NodeUse } from "./pool-figures";

export interface StoredNodeUse extends NodeUse {
  pool: string;
  node: string;
  domain: string | null;
  simulated: boolean;
  /** Device numbers. */
  withheld: number[];
  isDraining: boolean;
}

/** The nodes of all pools, or of one, with what pods hold of each. A simulated pool that was never used has none yet. */
export async function nodeUses(sql: Pick<Pool, "query">, pool?: string): Promise<StoredNodeUse[]> {
  const { rows } = await sql.query<StoredNodeUse>(
    `SELECT n.pool, n.node, n.gpus, n.domain, n.simulated, n.withheld, n.cordoned_at IS NOT NULL AS "isCordoned",
       n.drains AS "isDraining",
       count(d.device)::int AS "usedGpus", (count(d.device) FILTER (WHERE p.spot))::int AS "spotGpus",
       cardinality(n.withheld) - (count(d.device) FILTER (WHERE d.device = ANY(n.withheld)))::int AS "withheldGpus"
     FROM gpu_nodes n
     LEFT JOIN gpu_devices d ON d.pool = n.pool AND d.node = n.node
     LEFT JOIN pod_runs r ON r.id = d.run_id
     LEFT JOIN pods p ON p.id = r.pod_id
     WHERE n.gpus > 0 AND ($1::text IS NULL OR n.pool = $1)
     GROUP BY n.pool, n.node ORDER BY n.pool, n.node`,
    [pool ?? null],
  );
  return rows;
}

export interface HeldDevice {
  node: string;
  device: number;
  podId: string;
  spot: boolean;
  tenantId: string;
  projectId: string;
  mode: "test" | "live";
}

/** The devices of a pool that pods hold, of all tenants: the caller leaves out whose pods they are. */
export async function heldDevices(sql: Pick<Pool, "query">, pool: string): Promise<HeldDevice[]> {
  const { rows } = await sql.query<HeldDevice>(
    `SELECT d.node, d.device, p.id AS "podId", p.spot, p.tenant_id AS "tenantId", p.project_id AS "projectId", p.mode
     FROM gpu_devices d JOIN pod_runs r ON r.id = d.run_id JOIN pods p ON p.id = r.pod_id WHERE d.pool = $1`,
    [pool],
  );
  return rows;
}

export interface PoolHour {
  start: Date;
  used: number;
  scattered: number;
}

/** Means by the hour, in percent of the pool's GPUs, the oldest first. */
export async function poolHours(sql: Pick<Pool, "query">, pool: string, since: Date): Promise<PoolHour[]> {
  const { rows } = await sql.query<PoolHour>(
    `SELECT date_trunc('hour', at) AS start,
       round(avg(100.0 * used_gpus / greatest(gpus, 1)), 1)::float8 AS used,
       round(avg(100.0 * scattered_gpus / greatest(gpus, 1)), 1)::float8 AS scattered
     FROM gpu_pool_samples WHERE pool = $1 AND at >= $2 GROUP BY 1 ORDER BY 1`,
    [pool, since],
  );
  return rows;
}
