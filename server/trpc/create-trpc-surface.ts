import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import type { AdsCtx } from "../ads/ads-ctx";
import type { AccountCtx } from "../identity/identity-ctx";
import { type AppCaller, appRouter, createAppCaller } from "./router";
import type { SessionView, TrpcCtx, TrpcFacts } from "./trpc";

export interface TrpcSurfaceDeps {
  account: AccountCtx;
  ads: Omit<AdsCtx, "actor">;
  /** The session behind a Cookie header; `cookie` when its expiry slid and must be sent again. */
  authenticate: (cookieHeader: string | null) => Promise<(SessionView & { cookie?: string | undefined }) | undefined>;
  /** The only source of what counts as our own origin. */
  publicUrl: string;
  isLoopback: boolean;
  /** Gets every failure that answers `internal`, for the log. */
  onInternal: (cause: unknown, facts: TrpcFacts) => void;
}

export interface TrpcSurface {
  handle(request: Request, facts: TrpcFacts): Promise<Response>;
  /** Calls procedures without HTTP; writes still need the headers of our own page. */
  caller(headers: Headers, facts: TrpcFacts): AppCaller;
}

const ENDPOINT = "/api/trpc";

/** The dashboard's API: one tRPC batch endpoint under `/api/trpc`, and the same procedures for server-rendered pages. */
export function createTrpcSurface(deps: TrpcSurfaceDeps): TrpcSurface {
  const reportInternal = (error: { code: string; cause?: unknown }, facts: TrpcFacts) => {
    if (error.code === "INTERNAL_SERVER_ERROR") deps.onInternal(error.cause ?? error, facts);
  };
  return {
    handle: async (request, facts) => {
      const response = await fetchRequestHandler({
        endpoint: ENDPOINT,
        req: request,
        router: appRouter,
        createContext: ({ resHeaders }) => contextOf(deps, facts, { in: request.headers, out: resHeaders }),
        onError: ({ error }) => reportInternal(error, facts),
      });
      response.headers.set("cache-control", "no-store");
      response.headers.set("x-request-id", facts.requestId);
      return response;
    },
    caller: (headers, facts) =>
      createAppCaller(() => contextOf(deps, facts, { in: headers, out: new Headers() }), {
        onError: ({ error }) => reportInternal(error, facts),
      }),
  };
}

async function contextOf(
  deps: TrpcSurfaceDeps,
  facts: TrpcFacts,
  headers: { in: Headers; out: Headers },
): Promise<TrpcCtx> {
  const found = await deps.authenticate(headers.in.get("cookie"));
  if (found?.cookie) headers.out.append("set-cookie", found.cookie);
  return {
    session: found && { actor: found.actor, user: found.user, tenant: found.tenant },
    account: deps.account,
    ads: deps.ads,
    request: facts,
    requestHeaders: headers.in,
    responseHeaders: headers.out,
    publicOrigin: new URL(deps.publicUrl).origin,
    isLoopback: deps.isLoopback,
  };
}
