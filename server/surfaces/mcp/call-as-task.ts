import {
  type CallToolRequest,
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { holderOf } from "../../identity/agent-tasks/agent-task";
import { pause } from "../../kernel/pause";
import { authorize } from "../../operation/authorize";
import { assertWithinLimits } from "../../operation/rate-limit";
import { requireTool } from "./call-tool";
import type { AgentHandlers, Exchange, McpParts } from "./exchange";
import { orProtocolError } from "./or-protocol-error";
import { type RunningCall, tooManyRun } from "./running-tasks";
import { coreTask, extensionTask } from "./task-wire";
import { declaresTasks, offersCoreTasks } from "./tasks-offered";
import { isInView, mayCall } from "./tool-pages";
import { toolByName } from "./tools";

const HOUR_MS = 60 * 60 * 1000;
const TTL_MIN_MS = 60_000;
const TTL_MAX_MS = 24 * HOUR_MS;
/** With the extension the server decides: a call that ends within this is answered with its result. */
const QUICK_MS = 1000;

interface Called {
  parts: McpParts;
  exchange: Exchange;
  handlers: AgentHandlers;
  params: CallToolRequest["params"];
  context: ServerContext;
}

/**
 * Runs `tools/call`: as a task if a client of 2025-11-25 asks for one, or if one with the extension of 2026-07-28 waits
 * for longer than a second; otherwise the response is the result. A task is stored before its client is told of it.
 */
export async function callOrBegin(called: Called): Promise<CallToolResult | Record<string, unknown>> {
  const { exchange, handlers, params, context } = called;
  if (context.mcpReq.envelope !== undefined) {
    return declaresTasks(context) && handlers.mayBeTask(params.name) && isOwn(called)
      ? callForASecond(called)
      : handlers.callTool(params, context);
  }
  if (params.task === undefined || !offersCoreTasks(exchange)) return handlers.callTool(params, context);
  return { task: coreTask(await orProtocolError(exchange, () => beginTask(called, params.task?.ttl))) };
}

/** Tools that the caller cannot call are refused at once. */
function isOwn({ exchange: { caller, view }, params }: Called): boolean {
  const tool = toolByName.get(params.name);
  return !tool || (isInView(tool, view) && mayCall(caller.actor, tool));
}

async function beginTask(called: Called, ttl: number | undefined) {
  const { exchange, handlers, params } = called;
  const { actor } = exchange.caller;
  const tool = toolByName.get(params.name);
  const isAble = handlers.mayBeTask(params.name);
  if (tool || !isAble) requireTool(params.name, exchange.view);
  if (!isAble) {
    throw new ProtocolError(
      ProtocolErrorCode.MethodNotFound,
      `${params.name.slice(0, 80)} cannot run as a task; call it without "task". Lists mark those that can with execution.taskSupport.`,
    );
  }
  if (tool) authorize(tool.access, { actor });
  assertWithinLimits(exchange.limits);
  const running = begin(called, { isHeard: false });
  if (!running) throw tooManyRun();
  try {
    return await keep(called, running, ttl);
  } catch (failure) {
    running.ending.abort();
    throw failure;
  }
}

async function callForASecond(called: Called): Promise<CallToolResult | Record<string, unknown>> {
  const { handlers, params, context } = called;
  const client = { isHeard: true };
  const running = begin(called, client);
  if (!running) return handlers.callTool(params, context);
  const { signal } = context.mcpReq;
  const leave = () => running.ending.abort();
  signal.addEventListener("abort", leave, { once: true });
  const waited = new AbortController();
  const isOver = await Promise.race([
    running.outcome.then(() => true),
    pause(QUICK_MS, waited.signal).then(() => false),
  ]);
  waited.abort();
  // Without room for a task the client waits for the result.
  const task = isOver || signal.aborted ? undefined : await keep(called, running).catch(() => undefined);
  if (!task) {
    const outcome = await running.outcome;
    if ("result" in outcome) return outcome.result;
    const { code, message, data } = outcome.error;
    throw new ProtocolError(code, message, data);
  }
  signal.removeEventListener("abort", leave);
  client.isHeard = false;
  return { resultType: "task", ...extensionTask(task) };
}

/** Progress and log messages go to the client while it waits for the response. */
function begin({ parts, exchange, handlers, params, context }: Called, client: { isHeard: boolean }) {
  const { mcpReq } = context;
  const heard = async (send: () => Promise<void>) => {
    if (client.isHeard) await send();
  };
  return parts.tasks.begin(exchange.caller.actor.tenantId, (signal) =>
    handlers.callTool(params, {
      ...context,
      mcpReq: {
        ...mcpReq,
        signal,
        notify: (...given) => heard(() => mcpReq.notify(...given)),
        log: (...given) => heard(() => mcpReq.log(...given)),
      },
    }),
  );
}

function keep({ parts, exchange, params }: Called, running: RunningCall, ttl = HOUR_MS) {
  const ttlMs = Math.round(Math.min(Math.max(ttl, TTL_MIN_MS), TTL_MAX_MS));
  return parts.tasks.keep(running, { ...holderOf(exchange.caller.actor), tool: params.name, ttlMs });
}
