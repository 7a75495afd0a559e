import {
  type CallToolResult,
  type ListToolsResult,
  ResourceNotFoundError,
  type Server,
} from "@modelcontextprotocol/server";
import { parseInput } from "../../operation/parse-input";
import type { Input } from "../../operation/pipeline";
import { AgentServer } from "./agent-server";
import { callOrBegin } from "./call-as-task";
import { callOperation } from "./call-operation";
import { callTool } from "./call-tool";
import { complete } from "./complete";
import type { AgentHandlers, Exchange, McpParts } from "./exchange";
import { objectAt, objectTemplatesFor } from "./object-resources";
import { orProtocolError } from "./or-protocol-error";
import { getPrompt, prompts } from "./prompts";
import { resourceAt, resourcesFor } from "./resources";
import { handleCoreTasks, handleExtensionTasks } from "./task-handlers";
import { TASKS_EXTENSION } from "./task-wire";
import { offersCoreTasks } from "./tasks-offered";
import { mayBeTask, toolPage } from "./tool-pages";
import { TOOL_SCHEMA, toolSchemaAt } from "./tool-schema-resource";
import { toolByName } from "./tools";

const SERVER = { name: "svc", title: "svc", version: "1.0.0" };
const INSTRUCTIONS =
  "svc has two products: a GPU cloud (pods, storage, secrets, queues, chat models) and contextual offers (channels, campaigns, reports). Tools act with the rights, mode and project of the API key: with a test key GPUs and chat answers are simulated, and nothing is charged. Estimate before you create, and ask before you delete. Errors say which argument was wrong and what was expected. What gpuc_ tools create is a placeholder, with the reason and the plan, unless gpuc_activate has activated its service. The resource svc://tools/{name}/schema has everything about a tool: all constraints of its arguments, and the schema of its result.";
/** Lists change only with svc itself or the scopes of a key. */
const CACHED = { ttlMs: 300_000, cacheScope: "private" } as const;
const CACHE_HINTS = {
  "tools/list": CACHED,
  "prompts/list": CACHED,
  "resources/list": CACHED,
  "resources/templates/list": CACHED,
  "server/discover": CACHED,
};
const CORE_TASKS = { list: {}, cancel: {}, requests: { tools: { call: {} } } };
/** Only requests of the newer revisions can wait for changes: the older ones would need a session. */
const SUBSCRIBE = { resources: { subscribe: true } };
const optionsOf = (own: object) => ({
  capabilities: { tools: {}, prompts: {}, resources: {}, completions: {}, logging: {}, ...own },
  instructions: INSTRUCTIONS,
  cacheHints: CACHE_HINTS,
});
const MODERN = optionsOf({ ...SUBSCRIBE, extensions: { [TASKS_EXTENSION]: {} } });
const WITH_TASKS = optionsOf({ tasks: CORE_TASKS });
const LEGACY = optionsOf({});
type Era = "modern" | "legacy";

/**
 * The protocol's server of one HTTP request. It is made for each, because it is bound to a protocol revision and a
 * caller; everything that it lists was computed at the start.
 */
export function createAgentServer(parts: McpParts, exchange: Exchange, era: Era): Server {
  const hasCoreTasks = era === "legacy" && offersCoreTasks(exchange);
  const server = new AgentServer(SERVER, era === "modern" ? MODERN : hasCoreTasks ? WITH_TASKS : LEGACY);
  const { view } = exchange;
  const { actor } = exchange.caller;
  server.setRequestHandler("tools/list", ({ params }) =>
    orProtocolError(
      exchange,
      () => toolPage(actor, { ...view, hasTasks: hasCoreTasks }, params?.cursor) as unknown as ListToolsResult,
    ),
  );
  const own = handlersOf({ parts, exchange });
  const handlers = parts.replaceHandlers?.(own) ?? own;
  server.setRequestHandler(
    "tools/call",
    ({ params }, context) => callOrBegin({ parts, exchange, handlers, params, context }) as Promise<CallToolResult>,
  );
  if (era === "modern") handleExtensionTasks(server, { parts, exchange });
  if (hasCoreTasks) handleCoreTasks(server, { parts, exchange });
  server.setRequestHandler("prompts/list", () => ({ prompts: [...prompts] }));
  server.setRequestHandler("prompts/get", ({ params }) => handlers.getPrompt(params));
  server.setRequestHandler("resources/list", () => ({ resources: resourcesFor(actor) }));
  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: [TOOL_SCHEMA, ...objectTemplatesFor(actor)],
  }));
  server.setRequestHandler("resources/read", ({ params }, context) => handlers.readResource(params, context));
  server.setRequestHandler("completion/complete", ({ params }, context) => handlers.complete(params, context));
  server.setRequestHandler("logging/setLevel", ({ params }) => {
    parts.logLevels.set(actor, params.level);
    return {};
  });
  return server;
}

interface Request {
  parts: McpParts;
  exchange: Exchange;
}

const handlersOf = (request: Request): AgentHandlers => ({
  callTool: (params, context) => callTool(request, params, context),
  mayBeTask: (name) => {
    const tool = toolByName.get(name);
    return tool !== undefined && mayBeTask(tool);
  },
  complete: (params, { mcpReq: { signal } }) =>
    orProtocolError(request.exchange, () => complete({ ...request, signal }, params)),
  getPrompt: ({ name, arguments: given }) => orProtocolError(request.exchange, () => getPrompt(name, given)),
  readResource: ({ uri }, { mcpReq }) =>
    orProtocolError(request.exchange, () => readResource(request, uri, mcpReq.signal)),
});

async function readResource({ parts, exchange }: Request, uri: string, signal: AbortSignal) {
  const tool = toolSchemaAt(uri, exchange);
  if (tool) return { contents: [{ uri, mimeType: TOOL_SCHEMA.mimeType, text: JSON.stringify(tool) }] };
  const { operation, name, mimeType, asked } = readable(uri, exchange);
  const readInput = () => ({ sent: {}, input: parseInput(operation.input, asked) as Input });
  const { body } = await callOperation(parts, exchange, { operation, name, readInput, signal });
  return { contents: [{ uri, ...(mimeType !== undefined && { mimeType }), text: body }] };
}

/** What reads the resource that a URI names. */
function readable(uri: string, { caller: { actor } }: Exchange) {
  const object = objectAt(uri, actor);
  if (object) {
    return { operation: object.read, name: object.noun, mimeType: object.mimeType, asked: { id: object.id } };
  }
  const resource = resourceAt(uri);
  if (!resource) throw new ResourceNotFoundError(uri);
  return { operation: resource.operation, name: resource.name, mimeType: resource.mimeType, asked: {} };
}
