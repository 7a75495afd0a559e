import type { Pool } from "pg";
import type { Mode } from "../../operation/actor";

/** Whose metrics, and from when until now. */
export interface MetricsQuery {
  tenantId: string;
  /** Only this project. */
  projectId: string | undefined;
  mode: Mode;
  from: Date;
  to: Date;
}

/** Rows of the tenant, mode and project; `of` is the alias of the table. */
const own = (of: string): string =>
  `${of}.tenant_id = $1 AND ${of}.mode = $2::"Mode" AND ($3::text IS NULL OR ${of}.project_id = $3)`;

const secondsBefore = (time: string): string =>
  `least(r.seconds, greatest(0, ceil(extract(epoch FROM ${time} - r.started))))`;

/**
 * Pods now, and runs in the period, metered as for usage: each second that has begun counts, also of runs that have not
 * ended.
 */
export const podMetrics = (sql: Pool, query: MetricsQuery) =>
  select(sql, query, {
    name: "metrics_of_pods",
    text: `WITH r AS (
        SELECT u."from" AS started, u."to" AS ended, u.seconds::numeric AS seconds, p.gpu_count
        FROM pod_usage u JOIN pods p ON p.id = u.pod_id
        WHERE ${own("u")} AND u."to" > $4 AND u."from" < $5
        UNION ALL
        SELECT n.started_at, NULL, greatest(0, ceil(extract(epoch FROM $5::timestamptz - n.started_at))), p.gpu_count
        FROM pods p JOIN pod_runs n ON n.pod_id = p.id
        WHERE ${own("p")} AND n.started_at < $5 AND n.ended_at IS NULL
      ), metered AS (
        SELECT started, ended, gpu_count, ${secondsBefore("$5::timestamptz")} - ${secondsBefore("$4::timestamptz")} AS seconds
        FROM r
      ), pods_now AS (
        SELECT count(*) FILTER (WHERE status = 'pending') AS waiting,
          count(*) FILTER (WHERE status IN ('ready', 'reclaiming', 'stopping')) AS running,
          coalesce(sum(gpu_count) FILTER (WHERE status IN ('ready', 'reclaiming', 'stopping')), 0) AS gpus
        FROM pods p WHERE ${own("p")} AND deleted_at IS NULL
      )
      SELECT pods_now.*, count(started) FILTER (WHERE started >= $4) AS runs_started, count(ended) AS runs_ended,
        coalesce(sum(seconds), 0) AS seconds, coalesce(sum(seconds * gpu_count), 0) AS gpu_seconds
      FROM pods_now LEFT JOIN metered ON true GROUP BY waiting, running, gpus`,
  });

/** What happened in queues in the minutes that began in the period, and their messages when last measured. */
export const queueMetrics = (sql: Pool, query: MetricsQuery) =>
  select(sql, query, {
    name: "metrics_of_queues",
    text: `SELECT coalesce(sum(m.sent), 0) AS sent, coalesce(sum(m.received), 0) AS received,
        coalesce(sum(m.acknowledged), 0) AS acknowledged,
        coalesce(sum(last.messages) FILTER (WHERE q.deleted_at IS NULL), 0) AS messages
      FROM queues q
      LEFT JOIN LATERAL (
        SELECT sum(sent) AS sent, sum(received) AS received, sum(acknowledged) AS acknowledged FROM queue_minutes
        WHERE queue_id = q.id AND minute >= date_trunc('minute', $4::timestamptz) AND minute < $5
      ) AS m ON true
      LEFT JOIN LATERAL (
        SELECT waiting + delayed + in_flight AS messages FROM queue_minutes
        WHERE queue_id = q.id ORDER BY minute DESC LIMIT 1
      ) AS last ON true
      WHERE ${own("q")}`,
  });

/** What buckets have now. */
export const storageMetrics = (sql: Pool, query: MetricsQuery) =>
  select(sql, query, {
    name: "metrics_of_storage",
    text: `SELECT count(*) AS buckets, coalesce(sum(objects), 0) AS objects, coalesce(sum(bytes), 0) AS bytes
      FROM buckets b WHERE ${own("b")} AND $4::timestamptz < $5::timestamptz`,
  });

/** Deliveries that ended in the period, and those that have not ended. */
export const webhookMetrics = (sql: Pool, query: MetricsQuery) =>
  select(sql, query, {
    name: "metrics_of_webhooks",
    text: `SELECT count(*) FILTER (WHERE d.status = 'succeeded') AS succeeded,
        count(*) FILTER (WHERE d.status = 'failed') AS failed, count(*) FILTER (WHERE d.status = 'pending') AS pending
      FROM webhooks w JOIN webhook_deliveries d ON d.webhook_id = w.id
      WHERE ${own("w")} AND (d.status = 'pending' OR (d.finished_at >= $4 AND d.finished_at < $5))`,
  });

async function select(
  sql: Pool,
  { tenantId, mode, projectId, from, to }: MetricsQuery,
  query: { name: string; text: string },
): Promise<Record<string, number>> {
  const values = [tenantId, mode, projectId ?? null, from, to];
  const { rows } = await sql.query<Record<string, string>>({ ...query, values });
  return Object.fromEntries(Object.entries(rows[0] ?? {}).map(([name, value]) => [name, Number(value)]));
}
