import { TRPCError } from "@trpc/server";
import type { SessionView } from "../../identity/identity-ctx";
import type { Caller } from "../../operation/authorize";
import type { PipelineParts } from "../../operation/pipeline";
import { addRateHeaders, type RateLimitStatus } from "../../operation/rate-limit";
import type { RequestMeta } from "../../operation/request-meta";
import { toTrpcError } from "./error-shape";
import { type AppCaller, appRouter, createAppCaller } from "./router";
import { serveTrpc } from "./serve-trpc";
import type { TrpcCtx } from "./trpc";

export interface TrpcSurfaceDeps {
  /** Shared with the platform API: a person has one rate on all surfaces. */
  pipeline: PipelineParts<Caller>;
  /** The session of a Cookie header; `cookie` is set if its expiry was extended and it must be sent again. */
  authenticate: (cookieHeader: string | null) => Promise<(SessionView & { cookie?: string | undefined }) | undefined>;
  /** The origin of svc's own pages. */
  publicUrl: string;
  /** Receives every failure that becomes `internal`, for the log. */
  onInternal: (cause: unknown, meta: RequestMeta) => void;
}

export interface TrpcSurface {
  handle(request: Request, meta: RequestMeta): Promise<Response>;
  /**
   * Calls procedures without HTTP and without counting: a page makes one or two calls. Writes still need the headers of
   * svc's own pages.
   */
  caller(headers: Headers, meta: RequestMeta): AppCaller;
}

/**
 * The API of the dashboard: one tRPC batch endpoint at `/api/trpc`, and the same procedures for pages rendered on the
 * server.
 */
export function createTrpcSurface({ pipeline, authenticate, publicUrl, onInternal }: TrpcSurfaceDeps): TrpcSurface {
  const publicOrigin = new URL(publicUrl).origin;
  const contextOf = async (meta: RequestMeta, requestHeaders: Headers, responseHeaders: Headers): Promise<TrpcCtx> => {
    const found = await authenticate(requestHeaders.get("cookie")).catch((cause: unknown) => {
      throw toTrpcError(new TRPCError({ code: "INTERNAL_SERVER_ERROR", cause }));
    });
    if (found?.cookie) responseHeaders.append("set-cookie", found.cookie);
    return {
      session: found && { actor: found.actor, user: found.user, tenant: found.tenant },
      pipeline,
      request: meta,
      requestHeaders,
      responseHeaders,
      publicOrigin,
      onCounted: (limits) => showLimits(responseHeaders, limits),
    };
  };
  const uncounted: PipelineParts<Caller> = { ...pipeline, countCall: async () => [] };
  return {
    handle: (request, meta) =>
      serveTrpc(request, appRouter, {
        meta,
        createContext: (responseHeaders) => contextOf(meta, request.headers, responseHeaders),
        onInternal,
      }),
    caller: (headers, meta) =>
      createAppCaller(async () => ({ ...(await contextOf(meta, headers, new Headers())), pipeline: uncounted }), {
        onError: ({ error }) => {
          if (error.code === "INTERNAL_SERVER_ERROR") onInternal(error.cause ?? error, meta);
        },
      }),
  };
}

/** Adds the rate-limit headers to the response. */
function showLimits(responseHeaders: Headers, limits: readonly RateLimitStatus[]): void {
  // An exceeded limit of one call in the batch takes precedence over the others.
  if (responseHeaders.has("retry-after")) return;
  const shown: Record<string, string> = {};
  addRateHeaders(shown, limits);
  for (const [name, value] of Object.entries(shown)) responseHeaders.set(name, value);
}
