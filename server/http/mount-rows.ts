import { errorResponse, MethodNotAllowed } from "./error-response";
import { factsOf, type Peer, type RequestFacts } from "./request-facts";
import { createRouter, type RouterOptions } from "./route-rows";

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

export interface MountOptions<Row> extends RouterOptions<Row> {
  answer: (call: Call<Row>) => Promise<Response>;
  /** The last touch on every response, errors, 404 and 405 included. */
  finish: (response: Response, request: Request, facts: RequestFacts) => Promise<Response> | Response;
  /** Hears every failure with its cause before the caller gets its body. */
  onFailure: (failure: unknown, request: Request, facts: RequestFacts) => void;
}

/** Routes requests to rows; what no row takes is answered 404, a known path with another method 405 and Allow. */
export function mountRows<Row extends { method: string; path: string }>(options: MountOptions<Row>): Surface {
  const find = createRouter(options);
  const answer = async (request: Request, facts: RequestFacts): Promise<Response> => {
    try {
      const found = find(request);
      if ("refusal" in found) throw found.refusal;
      return await options.answer({ ...found, request, facts });
    } catch (failure) {
      options.onFailure(failure, request, facts);
      return errorResponse(failure, facts.requestId);
    }
  };
  return {
    fetch: async (request, peer) => {
      const facts = factsOf(request, peer);
      const response = await options.finish(await answer(request, facts), request, facts);
      return request.method === "HEAD" ? new Response(null, response) : response;
    },
  };
}

/** 405 with Allow. */
export const methodNotAllowed = (
  method: string,
  allowed: readonly string[],
  { requestId }: Pick<RequestFacts, "requestId">,
): Response => errorResponse(new MethodNotAllowed(method, allowed), requestId);
