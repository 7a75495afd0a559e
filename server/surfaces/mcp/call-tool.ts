import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { TOOL_CALL_ID_PREFIX } from "../../identity/tool-calls/tool-call";
import { newId } from "../../kernel/ids";
import { asServiceError } from "../../operation/as-service-error";
import { logFailure } from "../../operation/log-failure";
import type { Tool } from "../../operation/tool";
import { errorBody } from "../http/error-response";
import { callOperation, type OperationResult, toolInput, withArgumentName } from "./call-operation";
import type { Exchange, McpParts } from "./exchange";
import { isInView } from "./tool-pages";
import type { ToolView } from "./tool-view";
import { toolByName } from "./tools";

const PROGRESS_MS = 1000;
/** The member of `_meta` that has the Idempotency-Key of a call, for clients that cannot send a header per call. */
export const IDEMPOTENCY_META = "svc/idempotency-key";

interface CallToolParams {
  name: string;
  arguments?: unknown;
}

/** Calls a tool. Wrong arguments and refusals are results with `isError`; an unknown tool is a protocol error. */
export async function callTool(
  { parts, exchange }: { parts: McpParts; exchange: Exchange },
  { name, arguments: given }: CallToolParams,
  context: ServerContext,
): Promise<CallToolResult> {
  const { mcpReq } = context;
  const tool = requireTool(name, exchange.view);
  const stopProgress = reportProgress(mcpReq);
  const record = recordingOf(parts, exchange, name);
  const log = parts.logLevels.loggerFor(exchange.caller.actor, context);
  const { requestId } = exchange.meta;
  await log("debug", { message: `${name} begins.`, tool: name, request_id: requestId });
  try {
    const answer = await callOperation(parts, exchange, {
      operation: tool.operation,
      name,
      signal: mcpReq.signal,
      readInput: () => toolInput(tool, given),
      idempotencyKey: idempotencyKeyOf(exchange, mcpReq._meta),
    });
    record(undefined);
    await log("info", { message: `${name} succeeded.`, tool: name, status: answer.status, request_id: requestId });
    return resultOf(tool, answer);
  } catch (failure) {
    const { code, message } = asServiceError(failure);
    record(code);
    await log(code === "internal" ? "error" : "warning", { message, tool: name, code, request_id: requestId });
    logFailure(parts.log, failure, exchange);
    return errorOf(tool, failure, requestId);
  } finally {
    stopProgress();
  }
}

/** Throws the protocol's error for a name that the address does not have. */
export function requireTool(name: string, view: ToolView): Tool {
  const tool = toolByName.get(name);
  if (tool && isInView(tool, view)) return tool;
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `There is no tool "${name.slice(0, 80)}" at this address; tools/list names the tools of this key.`,
  );
}

/** Returns what records the call with the code of its error; calls with the token of a session are not recorded. */
function recordingOf(
  { clock, toolCalls }: McpParts,
  { caller: { actor }, meta: { requestId } }: Exchange,
  tool: string,
): (error: string | undefined) => void {
  if (actor.kind !== "key") return () => undefined;
  const { tenantId, mode, projectId, keyId } = actor;
  const [at, beganAt] = [clock.now(), performance.now()];
  return (error) => {
    const durationMs = Math.round(performance.now() - beganAt);
    const id = newId(TOOL_CALL_ID_PREFIX, at.getTime());
    toolCalls.record({ id, tenantId, mode, projectId, keyId, at, tool, error, durationMs, requestId });
  };
}

function idempotencyKeyOf({ request }: Exchange, meta: Record<string, unknown> | undefined): string | undefined {
  const given = meta?.[IDEMPOTENCY_META];
  if (given === undefined) return request.headers.get("idempotency-key") ?? undefined;
  return typeof given === "string" ? given : JSON.stringify(given);
}

/** Tells the client once per second that the call goes on, if it asked for progress. */
function reportProgress({ _meta, notify }: ServerContext["mcpReq"]): () => void {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return () => undefined;
  let progress = 0;
  const timer = setInterval(() => {
    progress++;
    const params = { progressToken, progress, message: `running for ${progress} s` };
    void notify({ method: "notifications/progress", params }).catch(() => undefined);
  }, PROGRESS_MS);
  return () => clearInterval(timer);
}

function resultOf(tool: Tool, { body, value, isReplay }: OperationResult): CallToolResult {
  const hasValue = typeof value === "object" && value !== null && !Array.isArray(value);
  return {
    content: [{ type: "text", text: hasValue ? body : `${tool.name}: done.` }],
    ...(hasValue && { structuredContent: value as Record<string, unknown> }),
    ...(isReplay && { _meta: { "svc/idempotency-replayed": true } }),
  };
}

/** Structured content would have to match the tool's output schema, so that the error is text and `_meta`. */
function errorOf(tool: Tool, failure: unknown, requestId: string): CallToolResult {
  const shown = withArgumentName(asServiceError(failure), tool);
  const body = errorBody(shown, requestId);
  return {
    isError: true,
    content: [{ type: "text", text: `${shown.message}\n${JSON.stringify(body)}` }],
    _meta: { "svc/error": body.error },
  };
}
