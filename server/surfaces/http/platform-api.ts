import type { Logger } from "pino";
import { ServiceError } from "../../kernel/errors";
import type { Actor } from "../../operation/actor";
import type { Caller } from "../../operation/authorize";
import { idempotencyKeyOf } from "../../operation/idempotency/idempotency-key";
import { logFailure } from "../../operation/log-failure";
import type { CallOptions } from "../../operation/operation";
import { type Call, type PipelineParts, runCall } from "../../operation/pipeline";
import { addRateHeaders, type RateLimitStatus } from "../../operation/rate-limit";
import { type RequestMeta, requestMetaOf, withBrowser } from "../../operation/request-meta";
import type { Route } from "../../operation/route";
import { errorResult } from "./error-response";
import { createErrorShapes } from "./error-shapes";
import type { HttpResult } from "./http-result";
import type { Surface } from "./mount-rows";
import { createInputReader } from "./read-input";
import { createRouter, type Found } from "./route-rows";
import { resultOf } from "./success-result";

export interface PlatformApiParts {
  routes: readonly Route[];
  pipeline: PipelineParts<Caller>;
  /**
   * Returns the actor of a bearer token, undefined for an invalid one after the same work; may throw why a valid one is
   * rejected.
   */
  authenticate: (token: string, meta: RequestMeta) => Promise<Actor | undefined>;
  log: Logger;
}

/** A route with its input reader. */
interface MountedRoute extends Route {
  read: ReturnType<typeof createInputReader>;
}

/** The JSON API of `/v1`: platform keys and session tokens. */
export function createPlatformApi({ routes, pipeline, authenticate, log }: PlatformApiParts): Surface {
  const find = createRouter<MountedRoute>({
    rows: routes.map((one) => ({ ...one, read: createInputReader(one) })),
    takesHead: ({ isSafe }) => isSafe,
  });
  const errorResultOf = createErrorShapes(routes);
  return {
    fetch: async (request, peer) => {
      const meta = requestMetaOf(request, peer);
      let limits: readonly RateLimitStatus[] = [];
      const onCounted: Routed["by"]["onCounted"] = (counted) => {
        limits = counted;
      };
      const by = { authenticate: () => identify(request, meta, authenticate), onCounted };
      const result = await runCall(pipeline, callOf(request, meta, { found: find(request), by })).catch((failure) => {
        logFailure(log, failure, { request, meta });
        return errorResultOf(request.url)(failure, meta.requestId);
      });
      return finish(request, { meta, limits }, result);
    },
  };
}

type PlatformCall = Call<Caller, HttpResult>;

interface Routed {
  found: Found<MountedRoute>;
  by: Required<Pick<PlatformCall, "authenticate" | "onCounted">>;
}

function callOf(request: Request, meta: RequestMeta, { found, by }: Routed): PlatformCall {
  if ("refusal" in found) return { ...by, meta, target: found.refusal, readInput: noOperation, respond: noOperation };
  const { row, params } = found;
  const { operation, method, path } = row;
  // Fields are copied one by one: a spread is several times slower.
  return {
    authenticate: by.authenticate,
    onCounted: by.onCounted,
    meta: operation.usesCookie ? withBrowser(meta, request) : meta,
    target: operation,
    readInput: () => row.read(request, params),
    options: new RequestOptions(request, operation.upload ? (request.body ?? undefined) : undefined),
    respond: (result, input) => resultOf(row, result, input),
    idempotency: operation.idempotent && {
      header: request.headers.get("idempotency-key"),
      route: `${method} ${path}`,
      replay: (kept) => replayed(kept, meta.requestId),
    },
  };
}

/**
 * Reads the signal only for operations that wait, because the HTTP server builds an AbortController and a Request for
 * it. A class, because each object literal with a getter has a hidden class of its own.
 */
class RequestOptions implements CallOptions {
  readonly body: CallOptions["body"];
  readonly #request: Request;

  constructor(request: Request, body: CallOptions["body"]) {
    this.#request = request;
    this.body = body;
  }

  get signal(): AbortSignal {
    return this.#request.signal;
  }

  get idempotencyKey(): string | undefined {
    const header = this.#request.headers.get("idempotency-key");
    return header === null ? undefined : idempotencyKeyOf(header);
  }
}

/** Calls without an operation end before these functions are used. */
const noOperation = (): never => {
  throw new ServiceError("internal", "There is no operation to call.");
};

/**
 * The error for an invalid token is thrown only after the call was counted, and only by operations that require a
 * token.
 */
export async function identify(
  { headers }: Pick<Request, "headers">,
  meta: RequestMeta,
  authenticate: PlatformApiParts["authenticate"],
): Promise<Caller> {
  const token = /^Bearer (\S+)$/i.exec(headers.get("authorization") ?? "")?.[1] ?? "";
  try {
    return { actor: await authenticate(token, meta) };
  } catch (refusal) {
    return { refusal };
  }
}

type Replay = NonNullable<Call<Caller, HttpResult>["idempotency"]>["replay"];

function replayed(kept: Parameters<Replay>[0], requestId: string): HttpResult {
  const result: HttpResult =
    "refusal" in kept
      ? errorResult(kept.refusal, requestId)
      : { status: kept.status, headers: { "content-type": "application/json" }, body: kept.body };
  if (kept.isReplay) result.headers["idempotency-replayed"] = "true";
  return result;
}

function finish({ method }: Request, counted: Counted, result: HttpResult): Response {
  completeHeaders(result, counted);
  const { status, headers, body } = result;
  return new Response(method === "HEAD" ? null : body, { status, headers });
}

interface Counted {
  meta: RequestMeta;
  limits: readonly RateLimitStatus[];
}

/** Adds the headers of every response, including errors. */
export function completeHeaders(
  { status, headers }: Pick<HttpResult, "status" | "headers">,
  { meta, limits }: Counted,
): void {
  headers["x-request-id"] = meta.requestId;
  headers["cache-control"] = "no-store";
  if (status === 401) headers["www-authenticate"] = "Bearer";
  addRateHeaders(headers, limits);
}
