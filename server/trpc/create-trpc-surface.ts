import type { AdsParts } from "../ads/ads-ctx";
import type { AccountCtx } from "../identity/identity-ctx";
import { type AppCaller, appRouter, createAppCaller } from "./router";
import { serveTrpc } from "./serve-trpc";
import type { SessionView, TrpcCtx, TrpcFacts } from "./trpc";

export interface TrpcSurfaceDeps {
  account: AccountCtx;
  ads: AdsParts;
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

/** The dashboard's API: one tRPC batch endpoint under `/api/trpc`, and the same procedures for pages rendered here. */
export function createTrpcSurface(deps: TrpcSurfaceDeps): TrpcSurface {
  const publicOrigin = new URL(deps.publicUrl).origin;
  const contextOf = async (facts: TrpcFacts, requestHeaders: Headers, responseHeaders: Headers): Promise<TrpcCtx> => {
    const found = await deps.authenticate(requestHeaders.get("cookie"));
    if (found?.cookie) responseHeaders.append("set-cookie", found.cookie);
    return {
      session: found && { actor: found.actor, user: found.user, tenant: found.tenant },
      account: deps.account,
      ads: deps.ads,
      request: facts,
      requestHeaders,
      responseHeaders,
      publicOrigin,
      isLoopback: deps.isLoopback,
    };
  };
  return {
    handle: (request, facts) =>
      serveTrpc(request, appRouter, {
        facts,
        createContext: (responseHeaders) => contextOf(facts, request.headers, responseHeaders),
        onInternal: deps.onInternal,
      }),
    caller: (headers, facts) =>
      createAppCaller(() => contextOf(facts, headers, new Headers()), {
        onError: ({ error }) => {
          if (error.code === "INTERNAL_SERVER_ERROR") deps.onInternal(error.cause ?? error, facts);
        },
      }),
  };
}
