import type { TaggedRoute } from "../../operation/route";
import type { HeaderName, Route, SharedResponses } from "./openapi-responses";

const GIF = { type: "string" as const };
const SHOWN = ["X-Request-ID"] as const satisfies HeaderName[];

/** An operation of the offers API as a path of its OpenAPI document. */
export function offersRoute(row: TaggedRoute, answers: SharedResponses): Route {
  const content = Object.fromEntries(
    (row.operation.mediaTypes ?? ["application/json"]).map((type) => [type, { schema: row.operation.input }]),
  );
  return {
    method: row.method === "GET" ? "get" : "post",
    path: row.path,
    operationId: row.operation.id,
    summary: row.operation.summary,
    description: row.operation.description ?? row.operation.summary,
    tags: [row.tag],
    security: row.operation.access === "channel_key" ? [{ channelKey: [] }] : [],
    request: {
      ...(sourceOf(row) === "query" ? { query: row.operation.input } : {}),
      ...(sourceOf(row) === "path" ? { params: row.operation.input } : {}),
      ...(sourceOf(row) === "body" ? { body: { content, required: true } } : {}),
    } as NonNullable<Route["request"]>,
    responses: {
      [row.status]: successOf(row, answers),
      ...answers.failures(failuresOf(row), { headers: SHOWN }),
    },
  };
}

/** Clicks are redirected without a rate limit. */
const failuresOf = (row: TaggedRoute): number[] => [
  400,
  ...(sourceOf(row) === "path" ? [404] : [401, 429]),
  ...(sourceOf(row) === "body" ? [413, 415] : []),
  500,
  503,
];

function successOf(row: TaggedRoute, answers: SharedResponses): Route["responses"][string] {
  const own: HeaderName[] = row.operation.id === "reportImpressions" ? ["X-Ignored-Ids"] : [];
  const headers = answers.headers(row.status === 302 ? [...SHOWN, "Location"] : [...SHOWN, ...own]);
  if (row.status === 200 && row.operation.access !== "pixel_token")
    return { description: "Success", headers, content: { "application/json": { schema: row.operation.output } } };
  if (row.operation.access === "pixel_token")
    return { description: "A transparent image of one pixel", headers, content: { "image/gif": { schema: GIF } } };
  return { description: row.status === 302 ? "Redirect to the landing page" : "Done; no content", headers };
}

/** The location of the input. */
function sourceOf({ method, path }: TaggedRoute): "query" | "path" | "body" {
  if (method !== "GET") return "body";
  return path.includes("{") ? "path" : "query";
}
