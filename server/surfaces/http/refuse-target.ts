import type { IncomingMessage, ServerResponse } from "node:http";
import { ServiceError } from "../../kernel/errors";
import { mediaTypeOf } from "../../kernel/media-type";
import { isSpeculative, TooEarly } from "../../operation/speculation";
import { errorResult, MethodNotAllowed } from "./error-response";

const PAGE_METHODS = ["GET", "HEAD"];
const FORM_TYPES = ["application/x-www-form-urlencoded", "multipart/form-data"];

/** The links that svc sends by email: each has a secret that one person uses once. */
const HAS_TOKEN = /\?(?:.*&)?token=/;

/** Paths of the APIs, which reject unsupported methods themselves. */
const isApi = (path: string): boolean => /^\/(api|v1)\//.test(path);

/**
 * Returns the error for a request target that no handler supports, otherwise undefined. Next would throw for such a
 * target, or redirect to another host that it names. A browser does not load a link from an email in advance.
 */
export function targetRefusal(
  { method = "", url = "", headers }: IncomingMessage,
  path: string,
): ServiceError | undefined {
  if (!url.startsWith("/")) return malformed("The request target must be a path that begins with a slash.");
  if (path.includes("\\")) return malformed("The path must not contain backslashes.");
  if (!isDecodable(path)) return malformed("The path is not valid percent-encoded UTF-8 text without NUL characters.");
  if (!isApi(path) && !PAGE_METHODS.includes(method)) return new MethodNotAllowed(method, PAGE_METHODS);
  if (!isApi(path) && HAS_TOKEN.test(url) && isSpeculative((name) => headers[name]?.toString())) return new TooEarly();
  return undefined;
}

/** Whether a browser sent a form of a page whose script, which sends it otherwise, had not run yet. */
export const isEarlyForm = ({ headers }: IncomingMessage, refusal: ServiceError): boolean =>
  refusal instanceof MethodNotAllowed && FORM_TYPES.includes(mediaTypeOf(headers["content-type"]));

/** Lets the browser load the same page again. The reference has only a query, so it never leads elsewhere. */
export function sendReload(outgoing: ServerResponse, { url = "" }: IncomingMessage, requestId: string): void {
  const query = url.includes("?") ? url.slice(url.indexOf("?")) : "?";
  outgoing.writeHead(303, { location: query, "x-request-id": requestId, "cache-control": "no-store" }).end();
}

/** Sends an error: under the APIs with the usual JSON body, elsewhere as text. */
export function sendRefusal(
  outgoing: ServerResponse,
  { refusal, path, requestId }: { refusal: ServiceError; path: string; requestId: string },
): void {
  const { status, headers, body } = errorResult(refusal, requestId);
  const text = isApi(path) ? body : `${refusal.message}\nRequest id: ${requestId}\n`;
  outgoing.writeHead(status, {
    ...headers,
    ...(isApi(path) ? {} : { "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff" }),
    "x-request-id": requestId,
    "cache-control": "no-store",
    "content-length": Buffer.byteLength(text ?? ""),
  });
  outgoing.end(text);
}

const malformed = (message: string) => new ServiceError("invalid_request", message);

function isDecodable(path: string): boolean {
  try {
    return !decodeURIComponent(path).includes("\0");
  } catch {
    return false;
  }
}
