import type { ServingChannel } from "../../ads/serving/serving";
import type { HttpResult } from "./http-result";

const ALLOW_METHODS = "GET, POST, OPTIONS";
const ALLOW_HEADERS = "Content-Type, X-SVC-API-Key, X-Request-ID";
const EXPOSE_HEADERS = "X-Request-ID, Retry-After, X-Ignored-Ids";
const MAX_AGE_SECONDS = 86_400;

/**
 * The origins that may read a response: those of the channel, or for a response without a key those of any browser key.
 */
export type CorsScope = { kind: "channel"; channel: ServingChannel } | { kind: "any_browser_key" } | { kind: "none" };

/** A preflight request has no key, so every origin that an active browser key allows is accepted. */
export function preflight(origin: string | null, allowed: ReadonlySet<string>): Response {
  const headers: Record<string, string> = { vary: "Origin" };
  if (origin !== null && allowed.has(origin)) {
    headers["access-control-allow-origin"] = origin;
    headers["access-control-allow-methods"] = ALLOW_METHODS;
    headers["access-control-allow-headers"] = ALLOW_HEADERS;
    headers["access-control-max-age"] = String(MAX_AGE_SECONDS);
  }
  return new Response(null, { status: 204, headers });
}

export function addCors(
  headers: HttpResult["headers"],
  origin: string | null,
  { scope, allowed }: { scope: CorsScope; allowed: ReadonlySet<string> },
): void {
  headers.vary = `Origin${headers.vary ? `, ${headers.vary}` : ""}`;
  if (origin === null || !readable(origin, scope, allowed)) return;
  headers["access-control-allow-origin"] = origin;
  headers["access-control-expose-headers"] = EXPOSE_HEADERS;
}

function readable(origin: string, scope: CorsScope, allowed: ReadonlySet<string>): boolean {
  if (scope.kind === "channel") return scope.channel.origins.includes(origin);
  return scope.kind === "any_browser_key" && allowed.has(origin);
}
