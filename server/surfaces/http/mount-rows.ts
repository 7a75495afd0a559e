import { type Peer, type RequestMeta, requestMetaOf } from "../../operation/request-meta";
import { errorResponse, errorResult, MethodNotAllowed } from "./error-response";
import type { HttpResult } from "./http-result";
import { createRouter, type RouterOptions } from "./route-rows";

/** One request in a pipeline. */
export interface Call<Row> {
  row: Row;
  request: Request;
  meta: RequestMeta;
  params: Record<string, string>;
}

export interface Surface {
  fetch(request: Request, peer: Peer): Promise<Response>;
}

export interface MountOptions<Row> extends RouterOptions<Row> {
  answer: (call: Call<Row>) => Promise<HttpResult>;
  /** Runs on every result, including errors, 404 and 405. */
  finish: (result: HttpResult, request: Request, meta: RequestMeta) => Promise<HttpResult>;
  /** Receives every failure with its cause, for the log. */
  onFailure: (failure: unknown, request: Request, meta: RequestMeta) => void;
}

/**
 * Routes requests to rows; responds with 404 if no row matches the path, with 405 and Allow if none matches the method.
 */
export function mountRows<Row extends { method: string; path: string; isSafe: boolean }>(
  options: MountOptions<Row>,
): Surface {
  const find = createRouter(options);
  const answer = async (request: Request, meta: RequestMeta): Promise<HttpResult> => {
    try {
      const found = find(request);
      if ("refusal" in found) throw found.refusal;
      return await options.answer({ ...found, request, meta });
    } catch (failure) {
      options.onFailure(failure, request, meta);
      return errorResult(failure, meta.requestId);
    }
  };
  return {
    fetch: async (request, peer) => {
      const meta = requestMetaOf(request, peer);
      const { status, headers, body } = await options.finish(await answer(request, meta), request, meta);
      return new Response(request.method === "HEAD" ? null : body, { status, headers });
    },
  };
}

/** 405 with Allow. */
export const methodNotAllowed = (
  method: string,
  allowed: readonly string[],
  { requestId }: Pick<RequestMeta, "requestId">,
): Response => errorResponse(new MethodNotAllowed(method, allowed), requestId);
