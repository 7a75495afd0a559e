import { z } from "@hono/zod-openapi";
import { isOfPlanes, scopesAllowing } from "../../operation/authorize";
import type { CostClass } from "../../operation/operation";
import { WINDOWS } from "../../operation/request-rates";
import type { TaggedRoute } from "../../operation/route";
import { type HeaderName, RATE_HEADERS, type Route, type SharedResponses } from "./openapi-responses";

const TEXT = { type: "string" as const };
const SHOWN = ["X-Request-ID", ...RATE_HEADERS] as const satisfies HeaderName[];

const IdempotencyKey = z.object({
  "Idempotency-Key": z
    .uuid()
    .optional()
    .describe("A retry with the same key and body within 24 hours returns the first response and creates nothing"),
});

/** An operation of the platform API as a path of its OpenAPI document. */
export function cloudRoute(row: TaggedRoute, answers: SharedResponses, prefix = ""): Route {
  const { params, rest } = inputOf(row);
  return {
    method: row.method.toLowerCase() as Route["method"],
    path: row.path,
    operationId: row.operation.id,
    summary: row.operation.summary,
    description: descriptionOf(row),
    tags: [row.tag],
    security: securityOf(row),
    request: requestOf(row, { params, rest }),
    responses: {
      [row.status]: successOf(row, answers),
      ...(row.operation.mayContinue && { 204: successOf({ ...row, status: 204 }, answers) }),
      ...answers.failures(failuresOf(row), { prefix, headers: SHOWN, shape: row.operation.errors }),
    },
  };
}

const takesBody = ({ method }: TaggedRoute): boolean => method !== "GET" && method !== "DELETE";

function inputOf(row: TaggedRoute) {
  const inPath = Object.keys(row.operation.input.shape).filter((name) => row.path.includes(`{${name}}`));
  const mask = Object.fromEntries(inPath.map((name) => [name, true as const]));
  const headerFields = row.operation.upload ? { content_type: true as const, content_encoding: true as const } : {};
  const params = inPath.length > 0 ? row.operation.input.pick(mask as Record<string, true>) : undefined;
  return { params, rest: row.operation.input.omit({ ...mask, ...headerFields } as Record<string, true>) };
}

function requestOf(
  row: TaggedRoute,
  { params, rest }: { params: z.ZodObject | undefined; rest: z.ZodObject },
): NonNullable<Route["request"]> {
  const hasRest = Object.keys(rest.shape).length > 0;
  const content = row.operation.upload
    ? Object.fromEntries(row.operation.upload.map((type) => [type, { schema: TEXT }]))
    : { "application/json": { schema: rest } };
  return {
    ...(params ? { params } : {}),
    ...(row.operation.idempotent ? { headers: IdempotencyKey } : {}),
    ...(hasRest && (!takesBody(row) || row.operation.upload) ? { query: rest } : {}),
    ...(row.operation.upload || (takesBody(row) && hasRest)
      ? { body: { required: needsBody(row, rest), content } }
      : {}),
  } as NonNullable<Route["request"]>;
}

/** The body of an action such as rotate is optional. */
const needsBody = ({ method, operation: { upload, requiresOneOf } }: TaggedRoute, rest: z.ZodObject): boolean =>
  upload !== undefined || requiresOneOf !== undefined || method === "PATCH" || !rest.safeParse({}).success;

const DESCRIPTIONS: Readonly<Record<number, string>> = { 201: "Created", 202: "Accepted; the work continues" };

/** The record of an operation with `mayContinue`, whose output is optional. */
const recordOf = (output: z.ZodType): z.ZodType =>
  output instanceof z.ZodOptional ? (output.unwrap() as z.ZodType) : output;

function successOf(row: TaggedRoute, answers: SharedResponses): Route["responses"][string] {
  const headers = answers.headers([
    ...SHOWN,
    ...(row.operation.idempotent ? (["Idempotency-Replayed"] as const) : []),
    ...(row.operation.usesCookie ? (["Set-Cookie"] as const) : []),
  ]);
  if (row.status === 204) return { description: "Done; no content", headers };
  const { mayStream } = row.operation;
  const stream = mayStream ? { "text/event-stream": { schema: TEXT, example: mayStream } } : {};
  const csv = row.operation.csv ? { "text/csv": { schema: TEXT } } : {};
  const description = DESCRIPTIONS[row.status] ?? "Success";
  const json = { schema: recordOf(row.operation.output) };
  return { description, headers, content: { "application/json": json, ...csv, ...stream } };
}

/** Anyone may log in; refresh and logout use the cookie that the login sets. */
const livesByCookie = ({ operation: { usesCookie, input } }: TaggedRoute): boolean =>
  usesCookie === true && Object.keys(input.shape).length === 0;

function securityOf(row: TaggedRoute): NonNullable<Route["security"]> {
  if (livesByCookie(row)) return [{ refreshCookie: [] }];
  if (row.operation.access === "public") return [];
  if (row.operation.access === "signed_in") return [{ bearer: [] }];
  return scopesAllowing(row.operation.access).map((scope) => ({ bearer: [scope] }));
}

const descriptionOf = (row: TaggedRoute): string =>
  [row.operation.description, oneOfText(row.operation), accessText(row)].filter(Boolean).join(" ");

const oneOfText = ({ requiresOneOf }: TaggedRoute["operation"]): string =>
  requiresOneOf ? `Send exactly one of ${requiresOneOf.map((name) => `\`${name}\``).join(" and ")}.` : "";

function accessText(row: TaggedRoute): string {
  if (livesByCookie(row)) return "Requires the refresh cookie that a login sets, but no key.";
  if (row.operation.access === "public") return "Requires no key.";
  if (row.operation.access === "signed_in") return "Requires a key or a session token with any scopes.";
  const { access, cost } = row.operation;
  const scope = isOfPlanes(access)
    ? `\`${access.replace("plane", "<plane>")}\` of the plane of the resource or service`
    : `\`${access}\``;
  return `Requires the scope ${scope}.${cost ? windowText(cost) : ""}`;
}

const windowText = (cost: CostClass): string => ` A ${cost} route: ${WINDOWS[cost].count} requests per minute and key.`;

/** Fields whose object has to exist. Lists that are filtered by another one are empty, if it does not exist. */
const OBJECT = /^(project|bucket|dlq|(key|reservation|channel)_id)$/;

/** Whether an operation looks for an object that its path or a field names, so that the object may not exist. */
function namesObject({ operation: { input }, path }: TaggedRoute): boolean {
  if (path.includes("{") || Object.keys(input.shape).some((name) => OBJECT.test(name))) return true;
  const { advertiser_id: advertiser } = input.shape;
  return advertiser !== undefined && !advertiser.safeParse(undefined).success;
}

const failuresOf = (row: TaggedRoute): number[] => [
  400,
  // Logging out twice is not an error.
  ...(row.operation.access === "public" && (!row.operation.usesCookie || row.status === 204) ? [] : [401]),
  ...(row.operation.access === "signed_in" ? [] : [403]),
  ...(namesObject(row) ? [404] : []),
  ...(row.method === "GET" ? [] : [409]),
  ...(takesBody(row) ? [413, 415] : []),
  ...(row.operation.idempotent ? [422] : []),
  429,
  500,
  503,
];
