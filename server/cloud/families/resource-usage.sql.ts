import type { Pool } from "pg";
import type { Mode } from "../../operation/actor";
import { METERED_RUNS, secondsBefore } from "../money/billing/metered-runs.sql";

export interface ResourceUsageQuery {
  tenantId: string;
  mode: Mode;
  planes: readonly string[];
  /** undefined: all services of the planes. */
  service?: string | undefined;
  from: Date;
  now: Date;
  limit: number;
}

/** What one resource used, at one price. */
export interface ResourceUsageRow {
  rid: string;
  plane: string;
  service: string;
  name: string;
  projectId: string;
  priceNanos: bigint;
  seconds: bigint;
  amountNanos: bigint;
  isFinal: boolean;
  isDeleted: boolean;
}

/** The seconds of instances and of replicas of inference endpoints since a time, deleted ones included, as invoices count them. Those that cost most come first. */
export async function readResourceUsage(
  sql: Pick<Pool, "query">,
  { tenantId, mode, planes, service = "", from, now, limit }: ResourceUsageQuery,
): Promise<ResourceUsageRow[]> {
  const { rows } = await sql.query<ResourceUsageRow>(
    `WITH parts AS (
       SELECT r.resource_id, r.price, r.is_ended, ${secondsBefore("$2::timestamptz")} AS before, r.seconds AS after
       FROM (${METERED_RUNS}) r
       WHERE r.tenant_id = $3 AND r.mode::text = $4 AND r.resource_id IS NOT NULL AND r.ended > $2
     )
     SELECT s.id AS rid, s.plane, s.service, s.name, s.project_id AS "projectId", parts.price AS "priceNanos",
       sum(after - before)::bigint AS seconds,
       sum(div(after * price, 3600) - div(before * price, 3600))::bigint AS "amountNanos",
       bool_and(is_ended) AS "isFinal", s.archived_at IS NOT NULL AS "isDeleted"
     FROM parts JOIN resources s ON s.id = parts.resource_id
     WHERE s.plane = ANY($7::text[]) AND ($5 = '' OR s.service = $5)
     GROUP BY s.id, parts.price HAVING sum(after - before) > 0 ORDER BY "amountNanos" DESC, s.id LIMIT $6`,
    [now, from, tenantId, mode, service, limit, planes],
  );
  return rows;
}
