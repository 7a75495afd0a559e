import type { errorBody } from "../http/error-response";

/** What JSON-RPC reserves for errors of the server. */
const REFUSED = -32_000;
const PARSE_ERROR = -32_700;

/** An error of JSON-RPC whose `data` is svc's error, as JSON. */
export function rpcError({ error }: ReturnType<typeof errorBody>, id: string | number | null): string {
  const code = error.details?.reason === "json" ? PARSE_ERROR : REFUSED;
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code, message: error.message, data: error } });
}
