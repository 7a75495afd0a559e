import { acceptsType } from "../../kernel/media-type";

const TYPES = ["application/json", "text/event-stream"];

/** The media types that a client must accept, as the protocol's library looks for them: it does not know ranges. */
export const BOTH_TYPES = TYPES.join(", ");

/**
 * The request as the protocol's library reads it, which gets its body apart: a client that accepts both types, by
 * whatever ranges, names them.
 */
export function withAcceptedTypes(request: Request): Request {
  const accept = request.headers.get("accept");
  if (accept === BOTH_TYPES || !TYPES.every((type) => acceptsType(accept, type))) return request;
  const headers = new Headers(request.headers);
  headers.set("accept", BOTH_TYPES);
  return new Request(request.url, { method: request.method, headers, signal: request.signal });
}
