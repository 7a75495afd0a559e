import { classifyInboundRequest } from "@modelcontextprotocol/server";
import { BOTH_TYPES } from "./accepted-forms";
import type { Exchange } from "./exchange";
import { messageIn } from "./rpc-message";

/** Their results depend on the request, its address and the scopes of its key alone, for as long as the process runs. */
const LISTS = new Set(["tools/list", "prompts/list", "resources/list", "resources/templates/list", "server/discover"]);
const MEMBERS = new Set(["jsonrpc", "id", "method", "params"]);
/** Of the parameters; anything in `_meta` but the revision, which the classification has, changes no list. */
const PARAMETERS = new Set(["cursor", "_meta"]);
const KEPT_MAX = 64;
const KEY_CHARACTERS_MAX = 4096;

/**
 * Results of lists as bytes. The protocol's library makes the first one; later requests that differ in nothing but the
 * id get the same, because validating and writing some hundred kilobytes each time is most of the work of a list.
 */
export class KeptLists {
  readonly #kept = new Map<string, Buffer>();
  /** Those that are being made: who asks for one of them meanwhile waits for it. */
  readonly #making = new Map<string, Promise<unknown>>();

  /** The response to a request, which `respond` makes unless a list is kept for it. */
  async through(exchange: Exchange, body: unknown, respond: () => Promise<Response>): Promise<Response> {
    const request = listRequest(exchange, body);
    if (!request) return respond();
    const { id, key } = request;
    const others = this.#making.get(key);
    if (others) await others;
    const kept = this.#kept.get(key);
    if (kept) return responseOf(kept, id);
    const making = this.#make(key, respond);
    this.#making.set(
      key,
      making.catch(() => undefined).then(() => this.#making.delete(key)),
    );
    const made = await making;
    return made instanceof Response ? made : responseOf(made, id);
  }

  /** The bytes of a result, which are kept, or the response if it is an error, such as one about a cursor. */
  async #make(key: string, respond: () => Promise<Response>): Promise<Buffer | Response> {
    const response = await respond();
    if (response.status !== 200) return response;
    const text = (await messageIn(response)) ?? "{}";
    const { result } = JSON.parse(text) as { result?: unknown };
    if (result === undefined) return new Response(text, { headers: { "content-type": "application/json" } });
    const bytes = Buffer.from(JSON.stringify(result));
    const oldest = this.#kept.size >= KEPT_MAX ? this.#kept.keys().next().value : undefined;
    if (oldest !== undefined) this.#kept.delete(oldest);
    this.#kept.set(key, bytes);
    return bytes;
  }
}

function responseOf(result: Buffer, id: string | number): Response {
  const head = Buffer.from(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`);
  return new Response(Buffer.concat([head, result, TAIL]), { headers: { "content-type": "application/json" } });
}

const TAIL = Buffer.from("}");

/** The id of a valid request for a list, and all that its result depends on; undefined for any other message. */
function listRequest(
  { caller, request, view }: Exchange,
  body: unknown,
): { id: string | number; key: string } | undefined {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return undefined;
  const { id, method, params } = body as Record<string, unknown>;
  if (!isId(id) || typeof method !== "string" || !LISTS.has(method)) return undefined;
  if (Object.keys(body).some((member) => !MEMBERS.has(member))) return undefined;
  if (Object.keys(params ?? {}).some((member) => !PARAMETERS.has(member))) return undefined;
  const revision = revisionOf(request, body);
  if (revision === undefined || !acceptsBoth(request)) return undefined;
  const scopes = [...caller.actor.scopes].sort().join(" ");
  const { cursor } = (params ?? {}) as { cursor?: unknown };
  const key = JSON.stringify([method, scopes, view.key, revision, cursor]);
  return key.length <= KEY_CHARACTERS_MAX ? { id, key } : undefined;
}

/** The revision of the protocol that a request is for, with what its response depends on; undefined for a wrong one. */
function revisionOf({ headers }: Request, body: object): unknown {
  const [protocolVersionHeader, mcpMethodHeader, mcpNameHeader] = HEADERS.map((name) => headers.get(name) ?? undefined);
  const outcome = classifyInboundRequest({
    httpMethod: "POST",
    body,
    ...(protocolVersionHeader !== undefined && { protocolVersionHeader }),
    ...(mcpMethodHeader !== undefined && { mcpMethodHeader }),
    ...(mcpNameHeader !== undefined && { mcpNameHeader }),
  });
  if (outcome.kind === "reject") return undefined;
  const named = outcome.kind === "modern" ? outcome.classification.revision : undefined;
  return [named, protocolVersionHeader, mcpMethodHeader === undefined];
}

const HEADERS = ["mcp-protocol-version", "mcp-method", "mcp-name"];

const acceptsBoth = ({ headers }: Request): boolean => headers.get("accept") === BOTH_TYPES;

const isId = (id: unknown): id is string | number =>
  typeof id === "string" || (typeof id === "number" && Number.isInteger(id));
