import { z } from "zod";
import { modeOf } from "../../operation/actor";
import { EXAMPLE_TIME, exampleId } from "../../operation/example";
import { operation } from "../identity-operation";
import { ModeName } from "../wire-text";
import { ToolCall } from "./tool-call";
import type { ToolCallCtx } from "./tool-call-ctx";
import { lastToolCalls } from "./tool-calls.sql";

const CALLS_MAX = 200;

const example: ToolCall = {
  id: exampleId("tlc"),
  at: EXAMPLE_TIME,
  tool: "svc_storage_list",
  mode: "live",
  project_id: exampleId("prj"),
  key_id: exampleId("key"),
  key_name: "agent",
  error: null,
  duration_ms: 4,
  request_id: exampleId("req"),
};

/** Returns the last calls of tools by the keys of a tenant, the newest first. */
export const getToolCalls = operation({
  id: "getToolCalls",
  summary: "Get the last calls of tools by agents",
  description:
    "The last calls of tools with API keys in one mode, at most 30 days old, without arguments and results. An API key reads those of its own project. Calls appear within seconds. They are statistics: a process that is killed loses those of its last seconds, and of one key at most 50 a second are recorded.",
  access: "usage:read",
  cost: "report",
  input: z.strictObject({
    limit: z.coerce.number().int().min(1).max(CALLS_MAX).default(50),
    mode: ModeName.optional().describe("For users only; an API key always uses its own mode. Default: test"),
  }),
  output: z.object({ data: z.array(ToolCall) }).meta({ id: "ToolCalls" }),
  example: { input: { limit: 50 }, output: { data: [example] } },
  run: async ({ actor, clickhouse, db, usageTurns }: ToolCallCtx, { limit, mode }) => {
    const { tenantId } = actor;
    const projectId = actor.kind === "key" ? actor.projectId : undefined;
    const query = { tenantId, mode: modeOf(actor, mode), projectId, limit };
    const calls = await usageTurns.run(tenantId, () => lastToolCalls(clickhouse, query));
    const ids = [...new Set(calls.map(({ keyId }) => keyId))];
    const keys = await db.apiKey.findMany({ where: { tenantId, id: { in: ids } }, select: { id: true, name: true } });
    const names = new Map(keys.map(({ id, name }) => [id, name]));
    return {
      data: calls.map(({ id, at, tool, keyId, error = null, durationMs, requestId, ...call }) => ({
        id,
        at: at.toISOString(),
        tool,
        mode: call.mode,
        project_id: call.projectId,
        key_id: keyId,
        key_name: names.get(keyId) ?? null,
        error,
        duration_ms: durationMs,
        request_id: requestId,
      })),
    };
  },
});
