import { createMcpHandler, type McpServerFactory } from "@modelcontextprotocol/server";
import { ServiceError } from "../../kernel/errors";
import { mediaTypeOf } from "../../kernel/media-type";
import { parseJson } from "../../kernel/parse-json";
import { authorize } from "../../operation/authorize";
import { logFailure } from "../../operation/log-failure";
import { addRateHeaders, assertWithinLimits } from "../../operation/rate-limit";
import { type Peer, type RequestMeta, requestMetaOf } from "../../operation/request-meta";
import type { Tool } from "../../operation/tool";
import { errorResult, MethodNotAllowed } from "../http/error-response";
import type { Surface } from "../http/mount-rows";
import { readBytes, requireMediaType } from "../http/read-body";
import { inAcceptedForm } from "./accepted-forms";
import { assertBatchSize, isBatch, respondToBatch } from "./batch";
import { createAgentServer } from "./create-agent-server";
import { assertExactEnvelope } from "./envelope";
import type { Exchange, McpParts } from "./exchange";
import { KeptLists } from "./kept-lists";
import { MCP_PATH } from "./mcp-path";
import { rpcError } from "./rpc-error";
import { LISTEN, Subscriptions } from "./subscriptions";
import { missingToListen, revisionOf } from "./tasks-offered";
import { isMcpPath, toolViewOf } from "./tool-view";
import { toolByName } from "./tools";

/** More than any tool takes, as JSON in JSON. */
const BODY_BYTES_MAX = 2 * 1024 * 1024;

/**
 * The endpoint for agents, `POST /v1/mcp` and the addresses below it that choose tools: Streamable HTTP without
 * sessions, for the protocol revisions 2025-03-26 to 2026-07-28. A request without a valid key, from a page of another origin, or over the limits is refused with its HTTP
 * status and a JSON-RPC error whose `data` is svc's error.
 */
export function createMcpSurface(parts: McpParts): Surface {
  const serverFor: McpServerFactory = ({ authInfo, era }) =>
    createAgentServer(parts, authInfo?.extra?.exchange as Exchange, era);
  const handler = createMcpHandler(serverFor, {
    onerror: (err) => parts.log.debug({ err }, "an agent's request was refused"),
  });
  const subscriptions = new Subscriptions(parts, serverFor);
  const lists = new KeptLists();
  const ownOrigin = new URL(parts.publicUrl).origin;
  const respond = async (exchange: Exchange, parsedBody: unknown): Promise<Response> => {
    exchange.revision = revisionOf(exchange.request, parsedBody);
    await count(parts, exchange, parsedBody);
    if ((parsedBody as { method?: unknown } | null)?.method === LISTEN) {
      return missingToListen(parsedBody) ?? subscriptions.listen(exchange, parsedBody);
    }
    const authInfo = { token: "", clientId: "", scopes: [], extra: { exchange } };
    return lists.through(exchange, parsedBody, () => handler.fetch(exchange.request, { authInfo, parsedBody }));
  };
  return {
    fetch: async (request, peer) => {
      const meta = requestMetaOf(request, peer);
      let exchange: Exchange | undefined;
      try {
        assertOwnOrigin(request, ownOrigin);
        const { caller } = await identify(parts, request, meta);
        exchange = { caller, meta, request, view: toolViewOf(request), limits: [] };
        const body = await readBody(request);
        const asked = exchange;
        const response = await inAcceptedForm(asked, () =>
          isBatch(body) ? respondToBatch(asked, body, respond) : respond(asked, body),
        );
        return finished(response, meta, exchange.limits);
      } catch (failure) {
        logFailure(parts.log, failure, { request, meta });
        return finished(refusal(failure, meta), meta, exchange?.limits ?? []);
      }
    },
  };
}

/**
 * A browser could be made to send a request through DNS rebinding, but then Origin has another host than svc. The host
 * of the request itself was checked before.
 */
function assertOwnOrigin({ headers, url }: Request, own: string): void {
  const origin = headers.get("origin");
  if (origin === null || origin === own || hostOf(origin) === new URL(url).host) return;
  throw new ServiceError(
    "forbidden",
    `Pages of ${origin.slice(0, 100)} cannot use this endpoint; call it from ${own} or without Origin.`,
    { param: "origin", details: { reason: "origin" } },
  );
}

const hostOf = (origin: string): string | undefined => (URL.canParse(origin) ? new URL(origin).host : undefined);

/** Requests without valid credentials are counted by address before they are refused. */
async function identify(
  { authenticate, pipeline }: McpParts,
  { headers }: Request,
  meta: RequestMeta,
): Promise<Pick<Exchange, "caller">> {
  const token = /^Bearer (\S+)$/i.exec(headers.get("authorization") ?? "")?.[1] ?? "";
  try {
    const actor = await authenticate(token, meta);
    authorize("signed_in", { actor });
    return { caller: { actor: actor as NonNullable<typeof actor> } };
  } catch (failure) {
    assertWithinLimits(await pipeline.countCall({}, meta, undefined));
    throw failure;
  }
}

/** There are no streams to open by GET and no sessions to end by DELETE. */
async function readBody(request: Request): Promise<unknown> {
  if (request.method !== "POST") throw new MethodNotAllowed(request.method, ["POST"]);
  requireMediaType(request.headers.get("content-type"), ["application/json"]);
  const body = parseJson(await readBytes(request, BODY_BYTES_MAX));
  assertBatchSize(body);
  assertExactEnvelope(body);
  return body;
}

/** A call of a tool is counted by its scope, anything else with the other requests; messages of a batch one by one. */
async function count({ pipeline, toolPipeline }: McpParts, exchange: Exchange, body: unknown): Promise<void> {
  const { caller, meta } = exchange;
  const tool = calledTool(body);
  exchange.limits = await (tool ? toolPipeline : pipeline).countCall(caller, meta, tool?.operation);
  // An exceeded limit of tools is a result of the call.
  if (!tool) assertWithinLimits(exchange.limits);
}

function calledTool(body: unknown): Tool | undefined {
  const { method, params } = (body ?? {}) as { method?: unknown; params?: { name?: unknown } };
  return method === "tools/call" ? toolByName.get(String(params?.name)) : undefined;
}

function refusal(failure: unknown, { requestId }: RequestMeta): Response {
  const { status, headers, body } = errorResult(failure, requestId);
  if (status === 401) headers["www-authenticate"] = "Bearer";
  return new Response(rpcError(JSON.parse(body), null), { status, headers });
}

function finished(response: Response, { requestId }: RequestMeta, limits: Exchange["limits"]): Response {
  const headers: Record<string, string> = { "x-request-id": requestId, "cache-control": "no-store" };
  addRateHeaders(headers, limits);
  // Proxies such as nginx would otherwise collect events before they pass them on.
  if (mediaTypeOf(response.headers.get("content-type")) === "text/event-stream") headers["x-accel-buffering"] = "no";
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}

/** Adds the endpoint to the surface that has the paths around it. */
export function withMcp(surface: Surface, mcp: Surface): Surface {
  return {
    fetch: (request: Request, peer: Peer) =>
      // Most requests are for other paths, and parsing every URL would be slower than this check.
      request.url.includes(MCP_PATH) && isMcpPath(new URL(request.url).pathname)
        ? mcp.fetch(request, peer)
        : surface.fetch(request, peer),
  };
}
