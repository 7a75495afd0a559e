import { z } from "@hono/zod-openapi";
import type { AnyEndpoint } from "./endpoint";
import { type Answers, type HeaderName, RATE_HEADERS, type Route } from "./openapi-answers";

const TEXT = { type: "string" as const };
const SHOWN = ["X-Request-ID", ...RATE_HEADERS] as const satisfies HeaderName[];

const IdempotencyKey = z.object({
  "Idempotency-Key": z
    .uuid()
    .optional()
    .describe("A retry with the same key and body within 24 hours gets the first answer and makes nothing new"),
});

/** An endpoint of the platform API as a path of its OpenAPI document. */
export function cloudRoute<Ctx>(row: AnyEndpoint<Ctx>, answers: Answers, prefix = ""): Route {
  const { inPath, params, rest } = inputOf(row);
  return {
    method: row.method.toLowerCase() as Route["method"],
    path: row.path,
    operationId: row.id,
    summary: row.summary,
    description: descriptionOf(row),
    tags: [row.tag],
    security: securityOf(row),
    request: requestOf(row, { params, rest }),
    responses: {
      [row.status]: successOf(row, answers),
      ...answers.failures(failuresOf(row, inPath.length > 0), { prefix, headers: SHOWN }),
    },
  };
}

const takesBody = <Ctx>({ method }: AnyEndpoint<Ctx>): boolean => method === "POST" || method === "PATCH";

function inputOf<Ctx>(row: AnyEndpoint<Ctx>) {
  const inPath = Object.keys(row.input.shape).filter((name) => row.path.includes(`{${name}}`));
  const mask = Object.fromEntries(inPath.map((name) => [name, true as const]));
  const headerFields = row.upload ? { content_type: true as const, content_encoding: true as const } : {};
  const params = inPath.length > 0 ? row.input.pick(mask as Record<string, true>) : undefined;
  return { inPath, params, rest: row.input.omit({ ...mask, ...headerFields } as Record<string, true>) };
}

function requestOf<Ctx>(
  row: AnyEndpoint<Ctx>,
  { params, rest }: { params: z.ZodObject | undefined; rest: z.ZodObject },
): NonNullable<Route["request"]> {
  const hasRest = Object.keys(rest.shape).length > 0;
  const content = row.upload
    ? Object.fromEntries(row.upload.map((type) => [type, { schema: TEXT }]))
    : { "application/json": { schema: rest } };
  return {
    ...(params ? { params } : {}),
    ...(row.idempotent ? { headers: IdempotencyKey } : {}),
    ...(hasRest && (!takesBody(row) || row.upload) ? { query: rest } : {}),
    ...(row.upload || (takesBody(row) && hasRest) ? { body: { required: needsBody(row, rest), content } } : {}),
  } as NonNullable<Route["request"]>;
}

/** An action such as rotate may do without a body. */
const needsBody = <Ctx>({ method, upload }: AnyEndpoint<Ctx>, rest: z.ZodObject): boolean =>
  upload !== undefined || method === "PATCH" || !rest.safeParse({}).success;

function successOf<Ctx>(row: AnyEndpoint<Ctx>, answers: Answers): Route["responses"][string] {
  const headers = answers.headers([
    ...SHOWN,
    ...(row.idempotent ? (["Idempotency-Replayed"] as const) : []),
    ...(row.usesCookie ? (["Set-Cookie"] as const) : []),
  ]);
  if (row.status === 204) return { description: "Done; no content", headers };
  const csv = row.csv ? { "text/csv": { schema: TEXT } } : {};
  const description = row.status === 201 ? "Created" : "Success";
  return { description, headers, content: { "application/json": { schema: row.output }, ...csv } };
}

/** Log-ins are for anybody, what follows them lives by the cookie that they set. */
const livesByCookie = <Ctx>({ usesCookie, input }: AnyEndpoint<Ctx>): boolean =>
  usesCookie === true && Object.keys(input.shape).length === 0;

function securityOf<Ctx>(row: AnyEndpoint<Ctx>): NonNullable<Route["security"]> {
  if (livesByCookie(row)) return [{ refreshCookie: [] }];
  if (row.access === "public") return [];
  return [{ bearer: row.access === "signed_in" ? [] : [row.access] }];
}

function descriptionOf<Ctx>(row: AnyEndpoint<Ctx>): string {
  if (livesByCookie(row)) return "Needs the refresh cookie that a log-in sets, and no key.";
  if (row.access === "public") return "Needs no key.";
  if (row.access === "signed_in") return "Needs a key or a session token, whatever its scopes.";
  return `Needs the scope \`${row.access}\`.${row.cost === "bulk" ? " A bulk route: 20 requests a minute a key." : ""}`;
}

const failuresOf = <Ctx>(row: AnyEndpoint<Ctx>, hasPath: boolean): number[] => [
  400,
  // Logging out twice is no failure.
  ...(row.access === "public" && (!row.usesCookie || row.status === 204) ? [] : [401]),
  ...(row.access === "signed_in" ? [] : [403]),
  ...(hasPath ? [404] : []),
  ...(row.method === "GET" ? [] : [409]),
  ...(takesBody(row) ? [413, 415] : []),
  ...(row.idempotent ? [422] : []),
  429,
  500,
  503,
];
