/** A response of JSON-RPC. */
export interface Rpc {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the results of tests' own requests.
  result?: any;
  error?: { code: number; message: string; data?: Record<string, unknown> };
}

export interface Message {
  headers: Record<string, string>;
  body: object;
}

const ACCEPTED = { accept: "application/json, text/event-stream", "content-type": "application/json" };
const TASKS = "io.modelcontextprotocol/tasks";

/** A request of a revision with a handshake. */
export const coreMessage = (method: string, params: object = {}, revision = "2025-11-25"): Message => ({
  headers: { ...ACCEPTED, "mcp-protocol-version": revision },
  body: { jsonrpc: "2.0", id: 1, method, params },
});

/** A request of the revision 2026-07-28, by default of a client that knows the extension of tasks. */
export function modernMessage(
  method: string,
  params: Record<string, unknown> = {},
  { knowsTasks = true, name = params.taskId ?? params.name }: { knowsTasks?: boolean; name?: unknown } = {},
): Message {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": knowsTasks ? { extensions: { [TASKS]: {} } } : {},
    ...(params._meta as object | undefined),
  };
  return {
    headers: {
      ...ACCEPTED,
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      ...(name !== undefined && { "mcp-name": String(name) }),
    },
    body: { jsonrpc: "2.0", id: 1, method, params: { ...params, _meta } },
  };
}

/** The message in a response, also as the last event of a stream. */
export async function rpcIn(response: Response): Promise<Rpc> {
  const text = await response.text();
  const json = text.startsWith("{") ? text : [...text.matchAll(/^data: (\{.+)$/gm)].at(-1)?.[1];
  return { status: response.status, ...JSON.parse(json ?? "{}") };
}
