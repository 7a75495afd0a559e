import type { IncomingMessage, ServerResponse } from "node:http";
import { ERROR_STATUS, type ErrorCode, type ServiceError } from "../../kernel/errors";
import { namesType } from "../../kernel/media-type";

const GATEWAY_TIMEOUT = 504;
const NOT_IMPLEMENTED = 501;
const REQUEST_TIMEOUT = 408;

/** The sentences for what the code of a function did; its own messages are in its logs only. */
const FAILURES: Readonly<Record<string, string>> = {
  timed_out: "The edge function did not respond in time.",
  blocked: "The edge function computed for too long and was ended.",
  out_of_memory: "The edge function used too much memory and was ended.",
  interrupted: "The edge function was interrupted.",
  response_too_large: "The response of the edge function is too large.",
  invalid_response: "The edge function sent an invalid response.",
};
/** What is said of a cause that is the tenant's, or the operator's, to know. */
const TEXTS: Partial<Record<ErrorCode, (reason?: string) => string>> = {
  internal: (reason = "") => FAILURES[reason] ?? "The edge function failed.",
  unavailable: () => "Edge functions cannot run now; retry shortly.",
};
const STATUSES: Readonly<Record<string, number>> = {
  timed_out: GATEWAY_TIMEOUT,
  websocket: NOT_IMPLEMENTED,
  stalled: REQUEST_TIMEOUT,
};

/** Sends an error in place of a function's response: as JSON to clients that prefer it, otherwise as a line of text. */
export function sendFailure(
  { incoming, outgoing, requestId }: { incoming: IncomingMessage; outgoing: ServerResponse; requestId: string },
  { code, message, details, retryAfterSeconds }: ServiceError,
): void {
  const reason = typeof details?.reason === "string" ? details.reason : undefined;
  const text = TEXTS[code]?.(reason) ?? message;
  const isJson = namesType(incoming.headers.accept, "application/json");
  const shown = { code, message: text, request_id: requestId, ...(reason !== undefined && { details: { reason } }) };
  const body = isJson ? JSON.stringify({ error: shown }) : `${text}\nRequest: ${requestId}\n`;
  outgoing.writeHead(STATUSES[reason ?? ""] ?? ERROR_STATUS[code], {
    "content-type": isJson ? "application/json" : "text/plain; charset=utf-8",
    "content-length": Buffer.byteLength(body),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "x-request-id": requestId,
    ...(retryAfterSeconds !== undefined && { "retry-after": String(retryAfterSeconds) }),
  });
  outgoing.end(incoming.method === "HEAD" ? "" : body);
}
