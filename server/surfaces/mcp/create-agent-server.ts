import {
  type ListToolsResult,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
} from "@modelcontextprotocol/server";
import type { ServiceError } from "../../kernel/errors";
import { asServiceError } from "../../operation/as-service-error";
import { parseInput } from "../../operation/parse-input";
import type { Input } from "../../operation/pipeline";
import { errorBody } from "../http/error-response";
import { callOperation } from "./call-operation";
import { callTool } from "./call-tool";
import type { AgentHandlers, Exchange, McpParts } from "./exchange";
import { getPrompt, prompts } from "./prompts";
import { resourceAt, resourcesFor } from "./resources";
import { toolPage } from "./tool-pages";
import { TOOL_SCHEMA, toolSchemaAt } from "./tool-schema-resource";

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
const OPTIONS = {
  capabilities: { tools: {}, prompts: {}, resources: {} },
  instructions: INSTRUCTIONS,
  cacheHints: CACHE_HINTS,
};

/**
 * The protocol's server of one HTTP request. It is made for each, because it is bound to a protocol revision and a
 * caller; everything that it lists was computed at the start.
 */
export function createAgentServer(parts: McpParts, exchange: Exchange): Server {
  const server = new Server(SERVER, OPTIONS);
  const { view } = exchange;
  const { actor } = exchange.caller;
  server.setRequestHandler("tools/list", ({ params }) =>
    orProtocolError(exchange, () => toolPage(actor, view, params?.cursor) as unknown as ListToolsResult),
  );
  const own = handlersOf({ parts, exchange });
  const handlers = parts.replaceHandlers?.(own) ?? own;
  server.setRequestHandler("tools/call", ({ params }, context) => handlers.callTool(params, context));
  server.setRequestHandler("prompts/list", () => ({ prompts: [...prompts] }));
  server.setRequestHandler("prompts/get", ({ params }) => handlers.getPrompt(params));
  server.setRequestHandler("resources/list", () => ({ resources: resourcesFor(actor) }));
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: [TOOL_SCHEMA] }));
  server.setRequestHandler("resources/read", ({ params }, context) => handlers.readResource(params, context));
  return server;
}

interface Request {
  parts: McpParts;
  exchange: Exchange;
}

const handlersOf = (request: Request): AgentHandlers => ({
  callTool: (params, context) => callTool(request, params, context),
  getPrompt: ({ name, arguments: given }) => orProtocolError(request.exchange, () => getPrompt(name, given)),
  readResource: ({ uri }, { mcpReq }) =>
    orProtocolError(request.exchange, () => readResource(request, uri, mcpReq.signal)),
});

async function readResource({ parts, exchange }: Request, uri: string, signal: AbortSignal) {
  const tool = toolSchemaAt(uri, exchange);
  if (tool) return { contents: [{ uri, mimeType: TOOL_SCHEMA.mimeType, text: JSON.stringify(tool) }] };
  const resource = resourceAt(uri);
  if (!resource) throw new ResourceNotFoundError(uri);
  const { operation, name, mimeType } = resource;
  const readInput = () => ({ sent: {}, input: parseInput(operation.input, {}) as Input });
  const { body } = await callOperation(parts, exchange, { operation, name, readInput, signal });
  return { contents: [{ uri, ...(mimeType !== undefined && { mimeType }), text: body }] };
}

/** Where the protocol has no result for failures: an error with the code of JSON-RPC, and svc's error as its data. */
async function orProtocolError<T>({ meta }: Exchange, run: () => T | Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (failure) {
    if (failure instanceof ProtocolError) throw failure;
    const error = asServiceError(failure);
    const code = isOfInput(error) ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
    throw new ProtocolError(code, error.message, errorBody(error, meta.requestId).error);
  }
}

const isOfInput = ({ code }: ServiceError): boolean => code !== "internal" && code !== "unavailable";
