import { requestMetaOf } from "../../operation/request-meta";
import { methodNotAllowed, type Surface } from "./mount-rows";

const ALLOWED = ["GET", "HEAD"];

export interface OpenApiDocument {
  /** The path within the surface. */
  path: string;
  /** Called for the first request: the document takes a third of a second to make. */
  document: () => object;
  /** The surface handles OPTIONS itself, and its responses depend on Origin. */
  hasPreflight?: boolean;
}

/** Adds the OpenAPI document to the surface; any page may read it. */
export function withDocument(surface: Surface, { path, document, hasPreflight = false }: OpenApiDocument): Surface {
  let made: string | undefined;
  const body = () => {
    made ??= JSON.stringify(document());
    return made;
  };
  const shared = { "cache-control": "no-store", ...(hasPreflight && { vary: "Origin" }) };
  const headers = { ...shared, "content-type": "application/json", "access-control-allow-origin": "*" };
  const answer = (request: Request, requestId: string): Response => {
    if (request.method === "GET") return new Response(body(), { headers });
    if (request.method === "HEAD") return new Response(null, { headers });
    const refusal = methodNotAllowed(request.method, ALLOWED, { requestId });
    for (const [name, value] of Object.entries(shared)) refusal.headers.set(name, value);
    return refusal;
  };
  return {
    fetch: (request, peer) => {
      // Most requests are for other paths, and parsing every URL would be slower than this check.
      const isHere = request.url.includes(path) && new URL(request.url).pathname === path;
      if (!isHere || (hasPreflight && request.method === "OPTIONS")) return surface.fetch(request, peer);
      const { requestId } = requestMetaOf(request, peer);
      const response = answer(request, requestId);
      response.headers.set("x-request-id", requestId);
      return Promise.resolve(response);
    },
  };
}
