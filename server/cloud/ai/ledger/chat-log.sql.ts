import type { Pool } from "pg";
import type { Mode } from "../../../operation/actor";
import type { ChatRequestRow } from "./chat-request";

const COLUMNS = `id, request_id, project_id, mode, key_id, endpoint, model, upstream, is_stream, status, http_status,
  error_code, prompt_tokens, completion_tokens, cost_nanos, is_estimated, is_cached, is_simulated, tries, first_byte_ms,
  total_ms, has_bodies, created_at, finished_at`;

/** Which part of the log: of a project, or of all projects of a tenant. */
export interface LogOwner {
  tenantId: string;
  projectId: string | undefined;
  mode: Mode;
}

export interface LogQuery extends LogOwner {
  key: string | undefined;
  model: string | undefined;
  status: string | undefined;
  /** Ids at or above `fromId` and below `toId`. */
  fromId: string | undefined;
  toId: string | undefined;
  take: number;
}

/** The newest requests that match, in one scan of an index from its end. */
export async function listRequests(sql: Pool, query: LogQuery): Promise<ChatRequestRow[]> {
  const values: unknown[] = [];
  const where = (condition: string, value: unknown): string => {
    if (value === undefined) return "";
    values.push(value);
    return ` AND ${condition.replace("?", `$${values.length}`)}`;
  };
  const conditions = [
    where("tenant_id = ?", query.tenantId),
    where('mode = ?::"Mode"', query.mode),
    where("project_id = ?", query.projectId),
    where("key_id = ?", query.key),
    where("model = ?", query.model),
    query.status === "pending" ? " AND state = 'pending'" : where("status = ?", query.status),
    where("id >= ?", query.fromId),
    where("id < ?", query.toId),
  ];
  const { rows } = await sql.query<ChatRequestRow>(
    `SELECT ${COLUMNS} FROM chat_requests WHERE true${conditions.join("")} ORDER BY id DESC LIMIT ${query.take}`,
    values,
  );
  return rows;
}

export async function findRequest(
  sql: Pool,
  { id, tenantId, projectId, mode }: { id: string; tenantId: string; projectId?: string; mode?: Mode },
): Promise<(ChatRequestRow & { request: string | null; response: string | null }) | undefined> {
  const { rows } = await sql.query<ChatRequestRow & { request: string | null; response: string | null }>({
    name: "chat_request",
    text: `SELECT ${COLUMNS}, b.request, b.response FROM chat_requests LEFT JOIN chat_bodies b USING (id)
      WHERE id = $1 AND tenant_id = $2 AND ($3::text IS NULL OR project_id = $3) AND ($4::text IS NULL OR mode::text = $4)`,
    values: [id, tenantId, projectId ?? null, mode ?? null],
  });
  return rows[0];
}

export const USAGE_GROUPS = {
  day: "to_char(date_trunc('day', created_at, 'UTC') AT TIME ZONE 'UTC', 'YYYY-MM-DD')",
  hour: `to_char(date_trunc('hour', created_at, 'UTC') AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`,
  model: "model",
  key: "key_id",
  upstream: "upstream",
} as const;
export type UsageGroup = keyof typeof USAGE_GROUPS;

export interface UsageRow extends Partial<Record<UsageGroup, string | null>> {
  requests: bigint;
  errors: bigint;
  cached: bigint;
  prompt_tokens: string;
  completion_tokens: string;
  cost_nanos: string;
  total_p50: number | null;
  total_p95: number | null;
  first_p50: number | null;
  first_p95: number | null;
}

const percentile = (share: number, column: string): string =>
  `percentile_disc(${share}) WITHIN GROUP (ORDER BY ${column}) FILTER (WHERE status = 'succeeded' AND NOT is_cached)`;

/** Finished requests by group, in the order of the groups; at most `take` rows. */
export async function sumUsage(
  sql: Pool,
  query: LogOwner & { fromId: string; toId: string; groups: readonly UsageGroup[]; take: number },
): Promise<UsageRow[]> {
  const { groups } = query;
  const columns = groups.map((group) => `${USAGE_GROUPS[group]} AS "${group}"`);
  const positions = groups.map((_, i) => i + 1).join(", ");
  const byProject = query.projectId === undefined ? "" : " AND project_id = $5";
  const { rows } = await sql.query<UsageRow>(
    `SELECT ${columns.map((column) => `${column}, `).join("")} count(*) AS requests,
       count(*) FILTER (WHERE status = 'failed') AS errors, count(*) FILTER (WHERE is_cached) AS cached,
       coalesce(sum(prompt_tokens), 0) AS prompt_tokens, coalesce(sum(completion_tokens), 0) AS completion_tokens,
       coalesce(sum(cost_nanos), 0) AS cost_nanos,
       ${percentile(0.5, "total_ms")} AS total_p50, ${percentile(0.95, "total_ms")} AS total_p95,
       ${percentile(0.5, "first_byte_ms")} AS first_p50, ${percentile(0.95, "first_byte_ms")} AS first_p95
     FROM chat_requests
     WHERE tenant_id = $1 AND mode = $2::"Mode" AND id >= $3 AND id < $4 AND state = 'finished'${byProject}
     ${groups.length > 0 ? `GROUP BY ${positions} ORDER BY ${positions}` : ""} LIMIT ${query.take}`,
    [query.tenantId, query.mode, query.fromId, query.toId, ...(byProject ? [query.projectId] : [])],
  );
  return rows;
}
