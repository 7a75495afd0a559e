import { methodNotAllowed, type Surface } from "./mount-rows";
import { factsOf } from "./request-facts";

const ALLOWED = ["GET", "HEAD"];

export interface OpenApiDocument {
  /** Where it stands inside the surface. */
  path: string;
  document: object;
  /** The surface answers OPTIONS itself, and its answers depend on Origin. */
  hasPreflight?: boolean;
}

/** The surface with its OpenAPI document, which anybody may read from any page. */
export function withDocument(surface: Surface, { path, document, hasPreflight = false }: OpenApiDocument): Surface {
  const body = JSON.stringify(document);
  const shared = { "cache-control": "no-store", ...(hasPreflight && { vary: "Origin" }) };
  const headers = { ...shared, "content-type": "application/json", "access-control-allow-origin": "*" };
  const answer = (request: Request, requestId: string): Response => {
    if (request.method === "GET") return new Response(body, { headers });
    if (request.method === "HEAD") return new Response(null, { headers });
    const refusal = methodNotAllowed(request.method, ALLOWED, { requestId });
    for (const [name, value] of Object.entries(shared)) refusal.headers.set(name, value);
    return refusal;
  };
  return {
    fetch: (request, peer) => {
      // Most requests are for something else, and parsing every URL would cost more than this.
      const isHere = request.url.includes(path) && new URL(request.url).pathname === path;
      if (!isHere || (hasPreflight && request.method === "OPTIONS")) return surface.fetch(request, peer);
      const { requestId } = factsOf(request, peer);
      const response = answer(request, requestId);
      response.headers.set("x-request-id", requestId);
      return Promise.resolve(response);
    },
  };
}
