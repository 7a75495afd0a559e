import type { AnyTRPCRouter } from "@trpc/server";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { JSON_BODY_LIMITS, limitBody } from "../kernel/limit-body";
import type { TrpcCtx, TrpcFacts } from "./trpc";

/** Where the dashboard's API hangs. */
const ENDPOINT = "/api/trpc";
/** A page asks for far less; each call of a batch is work of its own. The pages' client sends no more. */
const BATCH_MAX = 20;
/** A file takes as long as it takes, but not a minute without a byte; whoever reads it bounds what it unpacks to. */
const UPLOAD_LIMITS = { bytesMax: 1024 ** 3, idleMs: 60_000 } as const;

export interface ServeOptions {
  facts: TrpcFacts;
  createContext: (responseHeaders: Headers) => TrpcCtx | Promise<TrpcCtx>;
  /** Gets every failure that answers `internal`, for the log. */
  onInternal: (cause: unknown, facts: TrpcFacts) => void;
}

/**
 * Answers one HTTP request (a batch of at most 20 calls) to a router; never cached, always with its request id. A body
 * is read only when a procedure takes input, and up to the limits of any JSON body; one that is a file streams.
 */
export async function serveTrpc(
  request: Request,
  router: AnyTRPCRouter,
  { facts, createContext, onInternal }: ServeOptions,
): Promise<Response> {
  const response = await fetchRequestHandler({
    endpoint: ENDPOINT,
    req: withLimits(request),
    router,
    maxBatchSize: BATCH_MAX,
    createContext: ({ resHeaders }) => createContext(resHeaders),
    onError: ({ error }) => {
      if (error.code === "INTERNAL_SERVER_ERROR") onInternal(error.cause ?? error, facts);
    },
  });
  response.headers.set("cache-control", "no-store");
  response.headers.set("x-request-id", facts.requestId);
  return response;
}

/** The same request with a body that fails past the limits; tRPC hands that failure to the call that reads it. */
function withLimits(request: Request): Request {
  if (request.method === "GET" || request.method === "HEAD" || !request.body) return request;
  const { method, headers, signal } = request;
  const isFile = headers.get("content-type")?.startsWith("application/octet-stream") === true;
  const body = limitBody(request.body, isFile ? UPLOAD_LIMITS : JSON_BODY_LIMITS);
  const init: RequestInit & { duplex: "half" } = { method, headers, signal, body, duplex: "half" };
  return new Request(request.url, init);
}
