import type { OffersRow } from "./offers-rows";
import type { Answers, HeaderName, Route } from "./openapi-answers";

const GIF = { type: "string" as const };
const SHOWN = ["X-Request-ID"] as const satisfies HeaderName[];

/** An endpoint of the offers API as a path of its OpenAPI document. */
export function offersRoute(row: OffersRow, answers: Answers): Route {
  const content = Object.fromEntries(row.mediaTypes.map((type) => [type, { schema: row.input }]));
  return {
    method: row.method === "GET" ? "get" : "post",
    path: row.path,
    operationId: row.id,
    summary: row.summary,
    description: row.description,
    tags: [row.tag],
    security: row.access === "channel_key" ? [{ channelKey: [] }] : [],
    request: {
      ...(row.from === "query" ? { query: row.input } : {}),
      ...(row.from === "path" ? { params: row.input } : {}),
      ...(row.from === "body" ? { body: { content, required: true } } : {}),
    } as NonNullable<Route["request"]>,
    responses: {
      [row.status]: successOf(row, answers),
      ...answers.failures(failuresOf(row), { headers: SHOWN }),
    },
  };
}

/** A click is answered to anybody, however often. */
const failuresOf = ({ from }: OffersRow): number[] => [
  400,
  ...(from === "path" ? [404] : [401, 429]),
  ...(from === "body" ? [413, 415] : []),
  500,
  503,
];

function successOf(row: OffersRow, answers: Answers): Route["responses"][string] {
  const headers = answers.headers(row.status === 302 ? [...SHOWN, "Location"] : SHOWN);
  if (row.output) return { description: "Success", headers, content: { "application/json": { schema: row.output } } };
  if (row.access === "pixel_token")
    return { description: "An image of one transparent pixel", headers, content: { "image/gif": { schema: GIF } } };
  return { description: row.status === 302 ? "Redirect to the landing page" : "Done; no content", headers };
}
