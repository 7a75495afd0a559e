import type { Pool } from "pg";
import type { Mode } from "../../../operation/actor";
import type { MeteredQuery } from "./metered-runs.sql";
import type { Period } from "./months";
import type { Service } from "./services";

export type DailyService = Exclude<
  Service,
  "pods" | "sandboxes" | "workspaces" | "reservations" | "volumes" | "networks"
>;

/** The sum of a SKU, in counted units. */
export interface DailyRow {
  day: string | null;
  projectId: string | null;
  service: DailyService;
  sku: string;
  quantity: bigint;
}

/** Returns what was measured on the days of a period; it must begin and end with whole days, or end now. */
export async function readUsageDays(sql: Pick<Pool, "query">, query: MeteredQuery): Promise<DailyRow[]> {
  const { tenantId, mode, from, to, projectId = null, byDay, byProject } = query;
  const { rows } = await sql.query<Omit<DailyRow, "quantity"> & { quantity: string }>(
    `SELECT ${byDay ? "to_char(day, 'YYYY-MM-DD')" : "NULL"} AS day, ${byProject ? "project_id" : "NULL"} AS "projectId",
       service, sku, sum(quantity)::text AS quantity
     FROM usage_days WHERE tenant_id = $1 AND mode::text = $2 AND day >= ($3::timestamptz AT TIME ZONE 'UTC')::date
       AND day < $4::timestamptz AT TIME ZONE 'UTC' AND ($5::text IS NULL OR project_id = $5)
     GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`,
    [tenantId, mode, from, to, projectId],
  );
  return rows.map((row) => ({ ...row, quantity: BigInt(row.quantity) }));
}

/** Tenants and modes that used a service in a period of whole days. */
export async function dailyTenants(
  sql: Pick<Pool, "query">,
  { from, to, services }: Period & { services: readonly DailyService[] },
): Promise<{ tenantId: string; mode: Mode }[]> {
  const { rows } = await sql.query<{ tenantId: string; mode: Mode }>(
    `SELECT DISTINCT tenant_id AS "tenantId", mode FROM usage_days
     WHERE day >= ($1::timestamptz AT TIME ZONE 'UTC')::date AND day < ($2::timestamptz AT TIME ZONE 'UTC')::date
       AND service = ANY($3)`,
    [from, to, services],
  );
  return rows;
}

export async function firstUsageDay(sql: Pick<Pool, "query">): Promise<Date | null> {
  const { rows } = await sql.query<{ at: Date | null }>(
    "SELECT min(day)::timestamp AT TIME ZONE 'UTC' AS at FROM usage_days",
  );
  return rows[0]?.at ?? null;
}

const COLUMNS = "tenant_id, mode, day, service, sku, resource_id, project_id, quantity";
const inDays = (time: string): string => `(${time} AT TIME ZONE 'UTC')::date`;

/** Each selects the columns of `usage_days` from the days between $1 and $2, which are the beginnings of hours. */
const SOURCES: Readonly<Record<DailyService, string>> = {
  functions: `
    SELECT f.tenant_id, f.mode, ${inDays("f.hour")}, 'functions', t.sku, f.function_id, f.project_id, sum(t.quantity)
    FROM function_hours f CROSS JOIN LATERAL
      (VALUES ('invocations', f.runs), ('duration', f.memory_ms)) AS t(sku, quantity)
    WHERE f.hour >= $1::timestamptz AND f.hour < $2::timestamptz
    GROUP BY f.tenant_id, f.mode, f.project_id, f.function_id, t.sku, 3`,
  // Messages that were sent, received and acknowledged.
  queues: `
    SELECT q.tenant_id, q.mode, ${inDays("m.minute")}, 'queues', 'operations', q.id, q.project_id,
      sum(m.sent + m.received + m.acknowledged)
    FROM queue_minutes m JOIN queues q ON q.id = m.queue_id
    WHERE m.minute >= $1::timestamptz AND m.minute < $2::timestamptz GROUP BY q.id, 3`,
  // A row says what a bucket has until its next row; usage is counted in byte-hours of each storage class.
  storage: `
    SELECT b.tenant_id, b.mode, ${inDays("d.at")}, 'storage', t.sku, b.id, b.project_id,
      sum(t.bytes * floor(extract(epoch FROM least(h.until, d.at + interval '24 hours', $2) - greatest(h.hour, d.at)) / 3600))
    FROM (
      SELECT *, coalesce(lead(hour) OVER (PARTITION BY bucket_id ORDER BY hour), $2::timestamptz) AS until FROM bucket_hours
    ) h
    JOIN buckets b ON b.id = h.bucket_id
    JOIN generate_series($1::timestamptz, $2::timestamptz - interval '1 hour', interval '24 hours') AS d(at)
      ON h.hour < least(d.at + interval '24 hours', $2) AND h.until > d.at
    CROSS JOIN LATERAL (VALUES ('hot', h.bytes - h.warm_bytes - h.cold_bytes - h.archive_bytes),
      ('warm', h.warm_bytes), ('cold', h.cold_bytes), ('archive', h.archive_bytes)) AS t(sku, bytes)
    GROUP BY b.id, t.sku, 3`,
  chat: `
    SELECT r.tenant_id, r.mode, ${inDays("r.created_at")}, 'chat', t.sku, r.project_id, r.project_id, sum(t.tokens)
    FROM chat_requests r CROSS JOIN LATERAL
      (VALUES ('prompt_tokens', r.prompt_tokens), ('completion_tokens', r.completion_tokens)) AS t(sku, tokens)
    WHERE r.state = 'finished' AND r.created_at >= $1::timestamptz AND r.created_at < $2::timestamptz
    GROUP BY r.tenant_id, r.mode, r.project_id, t.sku, 3`,
};

export const DAILY_SERVICES = Object.keys(SOURCES) as DailyService[];

/** Measures the days from the beginning of the day `from` up to the hour `to` again. What a deleted bucket used stays. */
export async function measureService(
  sql: Pick<Pool, "query">,
  service: DailyService,
  { from, to }: Period,
): Promise<void> {
  await sql.query(
    `INSERT INTO usage_days AS d (${COLUMNS})
     SELECT * FROM (${SOURCES[service]}) AS s(${COLUMNS}) WHERE quantity > 0
     ORDER BY tenant_id, mode, day, sku, resource_id
     ON CONFLICT (tenant_id, mode, day, service, sku, resource_id) DO UPDATE SET quantity = excluded.quantity
       WHERE d.quantity <> excluded.quantity`,
    [from, to],
  );
  await sql.query(
    `INSERT INTO usage_measurements AS m (service, measured_at) VALUES ($1, $2)
     ON CONFLICT (service) DO UPDATE SET measured_at = greatest(m.measured_at, excluded.measured_at)`,
    [service, to],
  );
}

/** Until when each service was measured. */
export async function measuredUntil(sql: Pick<Pool, "query">): Promise<Map<DailyService, Date>> {
  const { rows } = await sql.query<{ service: DailyService; at: Date }>(
    `SELECT service, measured_at AS at FROM usage_measurements`,
  );
  return new Map(rows.map(({ service, at }) => [service, at]));
}
