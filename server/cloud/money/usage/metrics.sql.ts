import type { Pool } from "pg";
import type { Mode } from "../../../operation/actor";
import { METERED_RUNS, secondsBefore } from "../billing/metered-runs.sql";
import type { MetricsSummary } from "./metrics-summary";

/** Whose metrics, and from when until now. */
export interface MetricsQuery {
  tenantId: string;
  /** Undefined: all. */
  projectId: string | undefined;
  mode: Mode;
  from: Date;
  to: Date;
}

/** Rows of the tenant ($2), mode ($3) and project ($4, NULL: all); `of` is the alias of the table. */
const own = (of: string): string =>
  `${of}.tenant_id = $2 AND ${of}.mode = $3::"Mode" AND ($4::text IS NULL OR ${of}.project_id = $4)`;

const RUNNING = "status IN ('ready', 'reclaiming', 'stopping')";

/** Pods now, and what runs were metered in the period. */
export const podMetrics = (sql: Pool, query: MetricsQuery) =>
  select<"pods">(sql, query, {
    name: "metrics_of_pods",
    text: `WITH metered AS (
        SELECT started, is_ended, gpu_count,
          ${secondsBefore("$1::timestamptz")} - ${secondsBefore("$5::timestamptz")} AS seconds
        FROM (${METERED_RUNS}) AS r
        WHERE service = 'pods' AND ${own("r")} AND ended > $5 AND started < $1
      ), pods_now AS (
        SELECT count(*) FILTER (WHERE ${RUNNING}) AS running, count(*) FILTER (WHERE status = 'pending') AS waiting,
          coalesce(sum(gpu_count) FILTER (WHERE ${RUNNING}), 0) AS gpus
        FROM pods p WHERE ${own("p")} AND kind = 'pod' AND deleted_at IS NULL
      )
      SELECT pods_now.*, count(*) FILTER (WHERE started >= $5) AS runs_started,
        count(*) FILTER (WHERE is_ended) AS runs_ended,
        coalesce(sum(seconds), 0) AS seconds, coalesce(sum(seconds * gpu_count), 0) AS gpu_seconds
      FROM pods_now LEFT JOIN metered ON true GROUP BY running, waiting, gpus`,
  });

/** What happened in queues in the minutes that began in the period, and their messages when last measured. */
export const queueMetrics = (sql: Pool, query: MetricsQuery) =>
  select<"queues">(sql, query, {
    name: "metrics_of_queues",
    text: `SELECT coalesce(sum(m.sent), 0) AS sent, coalesce(sum(m.received), 0) AS received,
        coalesce(sum(m.acknowledged), 0) AS acknowledged,
        coalesce(sum(last.messages) FILTER (WHERE q.deleted_at IS NULL), 0) AS messages
      FROM queues q
      LEFT JOIN LATERAL (
        SELECT sum(sent) AS sent, sum(received) AS received, sum(acknowledged) AS acknowledged FROM queue_minutes
        WHERE queue_id = q.id AND minute >= date_trunc('minute', $5::timestamptz) AND minute < $1
      ) AS m ON true
      LEFT JOIN LATERAL (
        SELECT waiting + delayed + in_flight AS messages FROM queue_minutes
        WHERE queue_id = q.id ORDER BY minute DESC LIMIT 1
      ) AS last ON true
      WHERE ${own("q")}`,
  });

/** Deliveries that ended in the period, and those that have not ended. */
export const webhookMetrics = (sql: Pool, query: MetricsQuery) =>
  select<"webhooks">(sql, query, {
    name: "metrics_of_webhooks",
    text: `SELECT count(*) FILTER (WHERE d.status = 'succeeded') AS succeeded,
        count(*) FILTER (WHERE d.status = 'failed') AS failed, count(*) FILTER (WHERE d.status = 'pending') AS pending
      FROM webhooks w JOIN webhook_deliveries d ON d.webhook_id = w.id
      WHERE ${own("w")} AND (d.status = 'pending' OR (d.finished_at >= $5 AND d.finished_at < $1))`,
  });

/** The columns of the query are the fields of that part of the summary. */
async function select<Part extends "pods" | "queues" | "webhooks">(
  sql: Pool,
  { tenantId, mode, projectId, from, to }: MetricsQuery,
  query: { name: string; text: string },
): Promise<MetricsSummary[Part]> {
  const values = [to, tenantId, mode, projectId ?? null, from];
  const { rows } = await sql.query<Record<string, string>>({ ...query, values });
  const sums = Object.entries(rows[0] ?? {}).map(([name, value]) => [name, Number(value)]);
  return Object.fromEntries(sums) as MetricsSummary[Part];
}
