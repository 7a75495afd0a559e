import type { AnyTRPCRouter } from "@trpc/server";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import type { TrpcCtx, TrpcFacts } from "./trpc";

/** Where the dashboard's API hangs. */
const ENDPOINT = "/api/trpc";

export interface ServeOptions {
  facts: TrpcFacts;
  createContext: (responseHeaders: Headers) => TrpcCtx | Promise<TrpcCtx>;
  /** Gets every failure that answers `internal`, for the log. */
  onInternal: (cause: unknown, facts: TrpcFacts) => void;
}

/** Answers one HTTP request (a batch of calls) to a router; never cached, always with its request id. */
export async function serveTrpc(
  request: Request,
  router: AnyTRPCRouter,
  { facts, createContext, onInternal }: ServeOptions,
): Promise<Response> {
  const response = await fetchRequestHandler({
    endpoint: ENDPOINT,
    req: request,
    router,
    createContext: ({ resHeaders }) => createContext(resHeaders),
    onError: ({ error }) => {
      if (error.code === "INTERNAL_SERVER_ERROR") onInternal(error.cause ?? error, facts);
    },
  });
  response.headers.set("cache-control", "no-store");
  response.headers.set("x-request-id", facts.requestId);
  return response;
}
