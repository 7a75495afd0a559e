import { ProtocolError, ProtocolErrorCode, type Server, type ServerContext } from "@modelcontextprotocol/server";
import { z } from "zod";
import { type AgentTask, holderOf } from "../../identity/agent-tasks/agent-task";
import { fetchPage } from "../../kernel/page";
import type { Exchange, McpParts } from "./exchange";
import { orProtocolError } from "./or-protocol-error";
import { coreTask, detailedTask, resultOfTask } from "./task-wire";
import { requireTasks } from "./tasks-offered";
import { isInView, mayCall } from "./tool-pages";
import { allTools, toolByName } from "./tools";

const TASKS_PER_PAGE = 50;
/** What JSON-RPC reserves for errors of the server. */
const CANCELLED = -32_000;
const TaskId = z.looseObject({ taskId: z.string() });
const Cursor = z.looseObject({ cursor: z.string().optional() });

interface Request {
  parts: McpParts;
  exchange: Exchange;
}

/** The methods of the revision 2025-11-25. */
export function handleCoreTasks(server: Server, request: Request): void {
  const { parts, exchange } = request;
  const orError = <T>(run: () => Promise<T>) => orProtocolError(exchange, run);
  server.setRequestHandler("tasks/get", { params: TaskId }, ({ taskId }) =>
    orError(async () => coreTask(await stateOf(request, taskId))),
  );
  server.setRequestHandler("tasks/result", { params: TaskId }, ({ taskId }, context) =>
    orError(() => resultOnceEnded(request, taskId, context)),
  );
  server.setRequestHandler("tasks/list", { params: Cursor }, ({ cursor }) => orError(() => listTasks(request, cursor)));
  server.setRequestHandler("tasks/cancel", { params: TaskId }, ({ taskId }) =>
    orError(async () => {
      await stateOf(request, taskId);
      const isCancelled = await parts.tasks.cancel(taskId);
      const task = await stateOf(request, taskId);
      if (!isCancelled) throw invalid(`The task "${task.id}" has ended: it is ${coreTask(task).status}.`);
      return coreTask(task);
    }),
  );
}

/** The methods of the extension. Nothing here waits for input, so that `tasks/update` has nothing to take. */
export function handleExtensionTasks(server: Server, request: Request): void {
  const { parts, exchange } = request;
  const handle = (method: string, run: (taskId: string) => Promise<Record<string, unknown>>) =>
    server.setRequestHandler(method, { params: TaskId }, ({ taskId }, context) => {
      requireTasks(context);
      return orProtocolError(exchange, () => run(taskId));
    });
  handle("tasks/get", async (taskId) => {
    const found = await parts.tasks.find(holderOf(exchange.caller.actor), taskId);
    return detailedTask(requireShown(request, taskId, found?.task), found?.outcome);
  });
  handle("tasks/update", async (taskId) => {
    await stateOf(request, taskId);
    return {};
  });
  handle("tasks/cancel", async (taskId) => {
    await stateOf(request, taskId);
    await parts.tasks.cancel(taskId);
    return {};
  });
}

/** A task of the caller's project that a call at this address could have begun; any other does not exist. */
async function stateOf(request: Request, taskId: string): Promise<AgentTask> {
  const { parts, exchange } = request;
  return requireShown(request, taskId, await parts.tasks.stateOf(holderOf(exchange.caller.actor), taskId));
}

function requireShown({ exchange }: Request, taskId: string, task: AgentTask | undefined): AgentTask {
  const tool = task && toolByName.get(task.tool);
  if (task && (!tool || isShown(exchange, tool))) return task;
  throw invalid(`There is no task "${taskId.slice(0, 80)}", or it has expired.`);
}

const isShown = ({ caller, view }: Exchange, tool: (typeof allTools)[number]): boolean =>
  mayCall(caller.actor, tool) && isInView(tool, view);

/** What the call would have returned, once it has ended. */
async function resultOnceEnded(request: Request, taskId: string, { mcpReq }: ServerContext) {
  const { parts, exchange } = request;
  await stateOf(request, taskId);
  const left = AbortSignal.any([mcpReq.signal, exchange.request.signal, parts.stopping]);
  const ended = await parts.tasks.findEnded(holderOf(exchange.caller.actor), taskId, left);
  requireShown(request, taskId, ended?.task);
  const outcome = ended?.outcome;
  if (!outcome) throw new ProtocolError(CANCELLED, `The task "${taskId}" was cancelled.`);
  if ("result" in outcome) return resultOfTask(outcome.result, taskId);
  throw new ProtocolError(outcome.error.code, outcome.error.message, outcome.error.data);
}

async function listTasks({ parts, exchange }: Request, cursor: string | undefined) {
  const { actor } = exchange.caller;
  const holder = holderOf(actor);
  const hidden = allTools.filter((tool) => !isShown(exchange, tool)).map(({ name }) => name);
  const scope = { ...parts.cursors, tenantId: actor.tenantId, filter: `tasks of ${holder.holder}` };
  const page = await fetchPage(scope, { cursor, limit: TASKS_PER_PAGE }, (position) =>
    parts.tasks.list(holder, { ...position, hidden }),
  );
  return { tasks: page.data.map(coreTask), ...(page.next_cursor !== null && { nextCursor: page.next_cursor }) };
}

const invalid = (message: string): ProtocolError => new ProtocolError(ProtocolErrorCode.InvalidParams, message);
