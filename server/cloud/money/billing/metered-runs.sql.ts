import type { Pool } from "pg";
import type { Mode } from "../../../operation/actor";
import type { Purchase } from "../../core/prices/pod-prices";
import { VOLUME_PRICE } from "../../data/volumes/volume-spec";
import type { Period } from "./months";

export interface MeteredQuery extends Period {
  tenantId: string;
  mode: Mode;
  /** Runs that have not ended are metered until then. */
  now: Date;
  projectId?: string | undefined;
  byDay: boolean;
  byProject: boolean;
}

/** The seconds of runs, or of reservations, with one SKU, purchase mode and price. */
export interface MeteredRow {
  day: string | null;
  projectId: string | null;
  service: "pods" | "sandboxes" | "workspaces" | "functions" | "reservations" | "volumes" | "networks";
  sku: string;
  purchase: Purchase;
  priceNanos: bigint;
  seconds: bigint;
  amountNanos: bigint;
  /** No run of the row still runs. */
  isFinal: boolean;
}

const SERVICE =
  "CASE p.kind WHEN 'sandbox' THEN 'sandboxes' WHEN 'workspace' THEN 'workspaces' WHEN 'function' THEN 'functions' ELSE 'pods' END";

/**
 * Every run of a pod, a sandbox, a workspace or the pod of a function, every term of a reservation, and every capacity that
 * a shared volume had, and every use of a public port, that was metered until now ($1). `seconds` counts each second that has begun; a reservation is metered
 * from its start, used or not. `gpu_count` is that of the pod or the reservation, and `resource_id` that of the volume, the port, the
 * instance that a pod is, or the inference endpoint that it serves.
 */
export const METERED_RUNS = `
  SELECT u.tenant_id, u.mode, u.project_id, ${SERVICE} AS service, coalesce(p.gpu, 'cpu') AS sku, u.purchase::text AS purchase,
    u.price_nanos_per_hour AS price, u."from" AS started, u."to" AS ended, u.seconds::numeric AS seconds,
    true AS is_ended, p.gpu_count, coalesce(p.resource_id, p.replica_of) AS resource_id
  FROM pod_usage u JOIN pods p ON p.id = u.pod_id
  UNION ALL
  SELECT p.tenant_id, p.mode, p.project_id, ${SERVICE}, coalesce(p.gpu, 'cpu'),
    CASE WHEN p.reservation_id IS NOT NULL THEN 'reserved' WHEN p.spot THEN 'spot' ELSE 'on_demand' END,
    p.price_nanos_per_hour, r.started_at, $1::timestamptz,
    greatest(0, ceil(extract(epoch FROM $1::timestamptz - r.started_at))), false, p.gpu_count, coalesce(p.resource_id, p.replica_of) AS resource_id
  FROM pod_runs r JOIN pods p ON p.id = r.pod_id WHERE r.started_at IS NOT NULL AND r.ended_at IS NULL
  UNION ALL
  SELECT tenant_id, mode, project_id, 'reservations', gpu, 'reserved', price_nanos_per_hour, starts_at,
    least(ends_at, $1::timestamptz), ceil(extract(epoch FROM least(ends_at, $1::timestamptz) - starts_at)),
    ends_at <= $1::timestamptz, count, NULL
  FROM reservations WHERE status <> 'canceled' AND starts_at < $1::timestamptz
  UNION ALL
  SELECT tenant_id, mode, project_id, 'volumes', 'shared', 'on_demand', capacity_gb * ${VOLUME_PRICE.nanosPerGbHour}::bigint, started_at,
    coalesce(ended_at, $1::timestamptz), ceil(extract(epoch FROM coalesce(ended_at, $1::timestamptz) - started_at)),
    ended_at IS NOT NULL, 0, volume_id
  FROM shared_volume_capacities WHERE started_at < $1::timestamptz
  UNION ALL
  SELECT tenant_id, mode, project_id, 'networks', 'eip', 'on_demand', price_nanos_per_hour, started_at,
    coalesce(ended_at, $1::timestamptz),
    greatest(0, ceil(extract(epoch FROM coalesce(ended_at, $1::timestamptz) - started_at))),
    ended_at IS NOT NULL, 0, resource_id
  FROM public_ports WHERE started_at < $1::timestamptz`;

/** How many seconds of a run, as `r`, begin before a time. */
export const secondsBefore = (time: string): string =>
  `least(r.seconds, greatest(0, ceil(extract(epoch FROM ${time} - r.started))))`;

const WHOLE = "SELECT NULL::text AS day, $2::timestamptz AS low, $3::timestamptz AS high";
/** Days of 24 hours in UTC, independent of the time zone of the session. */
const DAYS = `
  SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, greatest(at, $2::timestamptz) AS low,
    least(at + interval '24 hours', $3::timestamptz) AS high
  FROM generate_series(date_trunc('day', $2::timestamptz, 'UTC'), $3::timestamptz - interval '1 millisecond',
    interval '24 hours') AS at`;

/**
 * Returns the seconds of runs in a period and what they cost. A second belongs to the period in which it begins. What a
 * run costs up to a time is its seconds until then times the price, rounded down to a nano; a part of a run costs the
 * difference of two such amounts. So parts of any division add up to the seconds and the cost of the whole run.
 */
export async function readMeteredRuns(sql: Pick<Pool, "query">, query: MeteredQuery): Promise<MeteredRow[]> {
  const { from, to, now, tenantId, mode, projectId = null, byDay, byProject } = query;
  const project = byProject ? "r.project_id" : "NULL";
  const { rows } = await sql.query<MeteredRow>(
    `WITH slices AS (${byDay ? DAYS : WHOLE}), parts AS (
        SELECT s.day, ${project} AS project_id, r.service, r.sku, r.purchase, r.price, r.is_ended OR s.high < r.ended AS is_final,
          ${secondsBefore("s.low")} AS before, ${secondsBefore("s.high")} AS after
        FROM slices s JOIN (${METERED_RUNS}) r ON r.started < s.high AND r.ended > s.low
        WHERE r.tenant_id = $4 AND r.mode::text = $5 AND ($6::text IS NULL OR r.project_id = $6)
          AND r.started < $3 AND r.ended > $2
      )
      SELECT day, project_id AS "projectId", service, sku, purchase, price AS "priceNanos",
        sum(after - before)::bigint AS seconds,
        sum(div(after * price, 3600) - div(before * price, 3600))::bigint AS "amountNanos",
        bool_and(is_final) AS "isFinal"
      FROM parts GROUP BY 1, 2, 3, 4, 5, 6 HAVING sum(after - before) > 0 ORDER BY 1, 2, 3, 4, 5, 6`,
    [now, from, to, tenantId, mode, projectId],
  );
  return rows;
}

/** Tenants and modes with runs in a period. */
export async function meteredTenants(
  sql: Pick<Pool, "query">,
  { from, to, now }: Period & { now: Date },
): Promise<{ tenantId: string; mode: Mode }[]> {
  const { rows } = await sql.query<{ tenantId: string; mode: Mode }>(
    `SELECT DISTINCT tenant_id AS "tenantId", mode FROM (${METERED_RUNS}) r WHERE started < $3 AND ended > $2`,
    [now, from, to],
  );
  return rows;
}

/** When the first run began; null: there was none. */
export async function firstRunAt(sql: Pick<Pool, "query">, now: Date): Promise<Date | null> {
  const { rows } = await sql.query<{ at: Date | null }>(`SELECT min(started) AS at FROM (${METERED_RUNS}) r`, [now]);
  return rows[0]?.at ?? null;
}

/**
 * Whether a run of a tenant that began before a time may yet turn out to have ended before it, because it was not seen
 * since: its node does not report.
 */
export async function hasOpenRuns(
  sql: Pick<Pool, "query">,
  { tenantId, mode, before }: { tenantId: string; mode: Mode; before: Date },
): Promise<boolean> {
  const { rowCount } = await sql.query(
    `SELECT 1 FROM pod_runs r JOIN pods p ON p.id = r.pod_id
     WHERE p.tenant_id = $1 AND p.mode::text = $2 AND r.ended_at IS NULL AND r.node_id IS NOT NULL
       AND coalesce(r.started_at, r.created_at) < $3 AND (r.observed_at IS NULL OR r.observed_at < $3) LIMIT 1`,
    [tenantId, mode, before],
  );
  return rowCount !== 0;
}
