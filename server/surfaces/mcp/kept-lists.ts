import type { Exchange } from "./exchange";

/** Their results depend on the request and the scopes of its key alone, for as long as the process runs. */
const LISTS = new Set(["tools/list", "prompts/list", "resources/list", "resources/templates/list", "server/discover"]);
/** What decides beside the body which revision of the protocol responds, and how. */
const HEADERS = ["accept", "content-type", "mcp-protocol-version", "mcp-method", "mcp-name", "mcp-session-id"];
const MEMBERS = new Set(["jsonrpc", "id", "method", "params"]);
const KEPT_MAX = 64;
const KEY_CHARACTERS_MAX = 4096;

/**
 * Results of lists as bytes. The protocol's library makes the first one; later requests that differ in nothing but the
 * id get the same, because validating and writing some hundred kilobytes each time is most of the work of a list.
 */
export class KeptLists {
  readonly #kept = new Map<string, Buffer>();

  /** The response to a request, which `respond` makes unless a list is kept for it. */
  async through(exchange: Exchange, body: unknown, respond: () => Promise<Response>): Promise<Response> {
    const request = listRequest(exchange, body);
    if (!request) return respond();
    const { id, key } = request;
    const kept = this.#kept.get(key);
    if (kept) return responseOf(kept, id);
    const response = await respond();
    if (response.status !== 200 || response.headers.get("content-type") !== "application/json") return response;
    const text = await response.text();
    const { result } = JSON.parse(text) as { result?: unknown };
    // An error, such as one about a cursor.
    if (result === undefined) return new Response(text, response);
    const bytes = Buffer.from(JSON.stringify(result));
    const oldest = this.#kept.size >= KEPT_MAX ? this.#kept.keys().next().value : undefined;
    if (oldest !== undefined) this.#kept.delete(oldest);
    this.#kept.set(key, bytes);
    return responseOf(bytes, id);
  }
}

function responseOf(result: Buffer, id: string | number): Response {
  const head = Buffer.from(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`);
  return new Response(Buffer.concat([head, result, TAIL]), { headers: { "content-type": "application/json" } });
}

const TAIL = Buffer.from("}");

/** The id of a plain request for a list, and what its result depends on; undefined for any other message. */
function listRequest({ caller, request }: Exchange, body: unknown): { id: string | number; key: string } | undefined {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return undefined;
  const { jsonrpc, id, method, params } = body as Record<string, unknown>;
  if (jsonrpc !== "2.0" || !isId(id) || !LISTS.has(method as string)) return undefined;
  if (Object.keys(body).some((member) => !MEMBERS.has(member))) return undefined;
  const scopes = [...caller.actor.scopes].sort().join(" ");
  const key = JSON.stringify([method, scopes, HEADERS.map((name) => request.headers.get(name)), params]);
  return key.length <= KEY_CHARACTERS_MAX ? { id, key } : undefined;
}

const isId = (id: unknown): id is string | number =>
  typeof id === "string" || (typeof id === "number" && Number.isInteger(id));
