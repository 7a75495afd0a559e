import { getPath } from "hono/utils/url";
import type { Route } from "../../operation/route";
import { errorResult } from "./error-response";
import { openAiErrorResult } from "./openai-error";

type ErrorResult = typeof errorResult;

/**
 * Returns the form of errors by URL. Paths that share their first two segments with a route that has a form of its own
 * have it too, so that also 404 and 405 there are what its clients expect.
 */
export function createErrorShapes(routes: readonly Pick<Route, "path" | "operation">[]): (url: string) => ErrorResult {
  const places = new Set(
    routes.filter(({ operation }) => operation.errors === "openai").map(({ path }) => placeOf(path)),
  );
  return (url) => (places.has(placeOf(getPath({ url } as Request))) ? openAiErrorResult : errorResult);
}

/** `/v1/chat` of `/v1/chat/completions`. */
const placeOf = (path: string): string => path.split("/", 3).join("/");
