import type { ClickHouseClient } from "@clickhouse/client";
import type { Mode } from "../../operation/actor";
import type { CalledTool } from "./tool-call";

/** Inserts a batch; inserting it again changes nothing. */
export async function insertToolCalls(
  clickhouse: ClickHouseClient,
  { token, calls }: { token: string; calls: readonly CalledTool[] },
  signal?: AbortSignal,
): Promise<void> {
  await clickhouse.insert({
    table: "tool_calls",
    values: calls.map(({ id, tenantId, mode, at, projectId, keyId, tool, error = "", durationMs, requestId }) => ({
      tenant_id: tenantId,
      mode,
      at: at.toISOString().slice(0, -1),
      project_id: projectId,
      key_id: keyId,
      tool,
      error,
      id,
      duration_ms: durationMs,
      request_id: requestId,
    })),
    format: "JSONEachRow",
    clickhouse_settings: { insert_deduplication_token: token },
    ...(signal && { abort_signal: signal }),
  });
}

export interface ToolCallsQuery {
  tenantId: string;
  mode: Mode;
  /** Only calls by its keys. */
  projectId: string | undefined;
  limit: number;
}

type Row = [
  id: string,
  atMs: string,
  projectId: string,
  keyId: string,
  tool: string,
  error: string,
  ms: number,
  requestId: string,
];

/** The last calls, the newest first. */
export async function lastToolCalls(
  clickhouse: ClickHouseClient,
  { tenantId, mode, projectId, limit }: ToolCallsQuery,
): Promise<CalledTool[]> {
  const result = await clickhouse.query({
    query: `SELECT id, toUnixTimestamp64Milli(at), project_id, key_id, tool, error, duration_ms, request_id FROM tool_calls
      WHERE tenant_id = {tenant:String} AND mode = {mode:String}
        ${projectId === undefined ? "" : "AND project_id = {project:String}"}
      ORDER BY tenant_id DESC, mode DESC, at DESC LIMIT {limit:UInt32}`,
    query_params: { tenant: tenantId, mode, project: projectId ?? "", limit },
    format: "JSONCompactEachRow",
  });
  return (await result.json<Row>()).map(([id, atMs, project, keyId, tool, error, durationMs, requestId]) => ({
    id,
    tenantId,
    mode,
    projectId: project,
    keyId,
    tool,
    durationMs,
    requestId,
    at: new Date(Number(atMs)),
    error: error || undefined,
  }));
}
