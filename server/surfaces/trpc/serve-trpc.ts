import { type AnyTRPCRouter, getTRPCErrorFromUnknown, type TRPCError } from "@trpc/server";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { ServiceError } from "../../kernel/errors";
import { JSON_BODY_LIMITS, limitBody } from "../../kernel/limit-body";
import { mediaTypeOf } from "../../kernel/media-type";
import { parseJson } from "../../kernel/parse-json";
import { assertWithinLimits } from "../../operation/rate-limit";
import type { RequestMeta } from "../../operation/request-meta";
import { errorResponse, MethodNotAllowed } from "../http/error-response";
import { toTrpcError } from "./error-shape";
import { callerOf } from "./procedures";
import type { TrpcCtx } from "./trpc";

/** The path of the dashboard's API. */
const ENDPOINT = "/api/trpc";
const METHODS = ["GET", "HEAD", "POST"];
/**
 * The maximum number of calls in a batch, each of which has a cost. Pages need far fewer, and their client sends no
 * more.
 */
const BATCH_MAX = 20;

export interface ServeOptions {
  meta: RequestMeta;
  createContext: (responseHeaders: Headers) => TrpcCtx | Promise<TrpcCtx>;
  /** Receives every failure that becomes `internal`, for the log. */
  onInternal: (cause: unknown, meta: RequestMeta) => void;
}

/**
 * Handles one HTTP request (a batch of at most 20 calls) with a router; the response is never cached and always has a
 * request id. A JSON body is read only when a procedure needs its input, up to the usual limits; a file is streamed,
 * and its procedure limits it.
 */
export async function serveTrpc(
  request: Request,
  router: AnyTRPCRouter,
  { meta, createContext, onInternal }: ServeOptions,
): Promise<Response> {
  if (!METHODS.includes(request.method)) {
    return errorResponse(new MethodNotAllowed(request.method, METHODS), meta.requestId);
  }
  const response = await fetchRequestHandler({
    endpoint: ENDPOINT,
    req: asRead(request),
    router,
    maxBatchSize: BATCH_MAX,
    createContext: async ({ resHeaders, info }) => {
      try {
        const ctx = await createContext(resHeaders);
        // Calls of unknown procedures run no operation that would count them.
        for (const { procedure } of info.calls) if (!procedure) await countUnknown(ctx);
        return ctx;
      } catch (failure) {
        throw toTrpcError(getTRPCErrorFromUnknown(failure));
      }
    },
    responseMeta: ({ errors }) => ({ headers: retryAfterOf(errors) }),
    onError: ({ error }) => {
      if (error.code === "INTERNAL_SERVER_ERROR") onInternal(error.cause ?? error, meta);
    },
  });
  response.headers.set("cache-control", "no-store");
  response.headers.set("x-request-id", meta.requestId);
  return response;
}

async function countUnknown(ctx: TrpcCtx): Promise<void> {
  const limits = await ctx.pipeline.countCall(callerOf(ctx), ctx.request, undefined);
  ctx.onCounted(limits);
  assertWithinLimits(limits);
}

/** The longest wait of the failed calls in the batch. */
function retryAfterOf(errors: readonly TRPCError[]): Record<string, string> {
  const waits = errors.flatMap(({ cause }) => (cause instanceof ServiceError ? (cause.retryAfterSeconds ?? []) : []));
  return waits.length > 0 ? { "retry-after": String(Math.max(...waits)) } : {};
}

/**
 * The same request with a body that fails above the limits, or if it is not JSON in UTF-8; tRPC passes that error to the
 * call that reads it.
 */
function asRead(request: Request): Request {
  if (request.method === "GET" || request.method === "HEAD" || !request.body) return request;
  const { method, headers, signal } = request;
  if (mediaTypeOf(headers.get("content-type")) === "application/octet-stream") return request;
  const body = limitBody(request.body, JSON_BODY_LIMITS);
  const init: RequestInit & { duplex: "half" } = { method, headers, signal, body, duplex: "half" };
  const limited = new Request(request.url, init);
  const json = async () => parseJson(new Uint8Array(await limited.arrayBuffer()));
  return Object.defineProperty(limited, "json", { value: json });
}
