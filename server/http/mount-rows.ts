import { Hono } from "hono";
import { TrieRouter } from "hono/router/trie-router";
import { ServiceError } from "../kernel/errors";
import { errorResponse } from "./error-response";
import { factsOf, type Peer, type RequestFacts } from "./request-facts";

/** One request on its way through a pipeline. */
export interface Call<Row> {
  row: Row;
  request: Request;
  facts: RequestFacts;
  params: Record<string, string>;
}

export interface Surface {
  fetch(request: Request, peer: Peer): Promise<Response>;
}

export interface MountOptions<Row> {
  rows: readonly Row[];
  /** Whether HEAD runs a GET row and drops its body; by default it does. */
  takesHead?: (row: Row) => boolean;
  answer: (call: Call<Row>) => Promise<Response>;
  /** The last touch on every response, errors, 404 and 405 included. */
  finish: (response: Response, request: Request, facts: RequestFacts) => Promise<Response> | Response;
  /** Hears every failure with its cause before the caller gets its body. */
  onFailure: (failure: unknown, request: Request, facts: RequestFacts) => void;
}

type HonoEnv = { Bindings: { facts: RequestFacts } };

/** Routes requests to rows by Hono; what no row takes is answered 404, a known path with another method 405 and Allow. */
export function mountRows<Row extends { method: string; path: string }>(options: MountOptions<Row>): Surface {
  const app = new Hono<HonoEnv>();
  const allowed = methodsByPath(options);
  for (const row of options.rows) {
    const methods = allowed.get(honoPath(row.path)) ?? [];
    app.on(row.method, honoPath(row.path), (c) => {
      const { method } = c.req;
      // Hono answers HEAD by the GET row.
      if (!methods.includes(method)) return methodNotAllowed(method, methods, c.env.facts);
      return options.answer({ row, request: c.req.raw, facts: c.env.facts, params: c.req.param() });
    });
  }
  // Asked only when no row matched: a second handler on every path would slow each request down.
  const paths = new TrieRouter<readonly string[]>();
  for (const [path, methods] of allowed) paths.add("ALL", path, methods);
  app.notFound((c) => {
    const methods = paths.match("ALL", c.req.path)[0][0]?.[0];
    if (methods) return methodNotAllowed(c.req.method, methods, c.env.facts);
    const error = new ServiceError("not_found", `There is no ${c.req.method} ${c.req.path.slice(0, 200)} here.`);
    return errorResponse(error, c.env.facts.requestId);
  });
  app.onError((failure, c) => {
    options.onFailure(failure, c.req.raw, c.env.facts);
    return errorResponse(failure, c.env.facts.requestId);
  });
  return {
    fetch: async (request, peer) => {
      const facts = factsOf(request, peer);
      const response = await app.fetch(request, { facts });
      return options.finish(response, request, facts);
    },
  };
}

const honoPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ":$1");

function methodsByPath<Row extends { method: string; path: string }>({
  rows,
  takesHead = () => true,
}: MountOptions<Row>): Map<string, string[]> {
  const methods = new Map<string, string[]>();
  for (const row of rows) {
    const known = methods.get(honoPath(row.path)) ?? [];
    const added = row.method === "GET" && takesHead(row) ? ["GET", "HEAD"] : [row.method];
    methods.set(honoPath(row.path), [...known, ...added]);
  }
  return methods;
}

/** 405 with Allow. */
export function methodNotAllowed(
  method: string,
  allowed: readonly string[],
  { requestId }: Pick<RequestFacts, "requestId">,
): Response {
  const error = new ServiceError("method_not_allowed", `${method} is not allowed here; use ${allowed.join(" or ")}.`);
  const response = errorResponse(error, requestId);
  response.headers.set("allow", allowed.join(", "));
  return response;
}
