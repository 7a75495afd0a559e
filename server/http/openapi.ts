import { OpenAPIHono, z } from "@hono/zod-openapi";
import { ERROR_STATUS, type ErrorCode } from "../kernel/errors";
import type { AnyEndpoint } from "./endpoint";
import type { OffersRow } from "./offers-rows";

type Registry = OpenAPIHono["openAPIRegistry"];
type Route = Parameters<Registry["registerPath"]>[0];

const GIF = { type: "string" as const };

const ErrorSchema = z
  .object({
    error: z.object({
      code: z.enum(Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]]),
      message: z.string(),
      request_id: z.string(),
      param: z.string().optional().describe("The offending field"),
      retry_after: z.int().optional().describe("Seconds after which a retry can succeed"),
      details: z.record(z.string(), z.unknown()).optional(),
    }),
  })
  .openapi("Error");

const ErrorHeaders = z.object({ "X-Request-ID": z.string().describe("Quote it when you report a problem") });
const RetryHeaders = ErrorHeaders.extend({
  "Retry-After": z.int().optional().describe("Seconds; absent when a quota is used up"),
});
const RedirectHeaders = z.object({ Location: z.url().describe("The landing page with `svc_click_id`") });
const RETRYABLE = new Set([429, 503]);

const REASONS: Record<number, string> = {
  302: "Redirect to the landing page",
  400: "The request is not valid; `param` names the field",
  401: "The key is missing, wrong, revoked or used from a foreign origin",
  403: "The key lacks the scope",
  404: "There is no such thing",
  409: "The state does not allow it",
  413: "The body is too large",
  415: "The media type is not accepted",
  429: "Too many requests, or a quota is used up",
  503: "An engine is away; retry after the named seconds",
};

const failures = (statuses: number[]): Route["responses"] =>
  Object.fromEntries(
    statuses.map((status) => [
      status,
      {
        description: REASONS[status] ?? "Error",
        headers: RETRYABLE.has(status) ? RetryHeaders : ErrorHeaders,
        content: { "application/json": { schema: ErrorSchema } },
      },
    ]),
  );

const LICENSE = { name: "Proprietary", identifier: "LicenseRef-svc" };

/** The OpenAPI 3.1 document of the offers API; `conversions` are its operations for advertisers, called with platform keys. */
export function offersOpenApi<Ctx>(
  publicUrl: string,
  rows: readonly OffersRow[],
  conversions: readonly AnyEndpoint<Ctx>[],
): object {
  const app = new OpenAPIHono();
  app.openAPIRegistry.registerComponent("securitySchemes", "channelKey", {
    type: "apiKey",
    in: "header",
    name: "X-SVC-API-Key",
  });
  app.openAPIRegistry.registerComponent("securitySchemes", "platformKey", { type: "http", scheme: "bearer" });
  for (const row of rows) app.openAPIRegistry.registerPath(offersRoute(row));
  for (const row of conversions) app.openAPIRegistry.registerPath(cloudRoute(row));
  return app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "svc offers API",
      version: "1.0.0",
      description: "Contextually matched offers for a publisher channel, with tracked clicks and impressions.",
      license: LICENSE,
      contact: { name: "svc", url: publicUrl },
    },
    servers: [{ url: publicUrl }],
    tags: [
      { name: "offers", description: "Serving, clicks, impressions and signals" },
      { name: "Conversions", description: "Orders, reported by advertisers and attributed to clicks and views" },
    ],
  });
}

function offersRoute(row: OffersRow): Route {
  const body = {
    content: Object.fromEntries(row.mediaTypes.map((type) => [type, { schema: row.input }])),
    required: true,
  };
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
      ...(row.from === "body" ? { body } : {}),
    } as NonNullable<Route["request"]>,
    responses: {
      [row.status]: successOf(row),
      ...failures([
        400,
        ...(row.from === "path" ? [404] : [401]),
        // A click is answered to anybody, however often.
        ...(row.from === "path" ? [] : [429]),
        503,
      ]),
      ...(row.from === "body" ? failures([413, 415]) : {}),
    },
  };
}

function successOf(row: OffersRow): Route["responses"][string] {
  if (row.output) return { description: "Success", content: { "application/json": { schema: row.output } } };
  if (row.access === "pixel_token")
    return { description: "An image of one transparent pixel", content: { "image/gif": { schema: GIF } } };
  const description = REASONS[row.status] ?? "Success, no content";
  return { description, ...(row.status === 302 ? { headers: RedirectHeaders } : {}) };
}

/** The OpenAPI 3.1 document of the cloud API; every security requirement comes from a row's scope. */
export function cloudOpenApi<Ctx>(publicUrl: string, rows: readonly AnyEndpoint<Ctx>[]): object {
  const app = new OpenAPIHono();
  app.openAPIRegistry.registerComponent("securitySchemes", "platformKey", { type: "http", scheme: "bearer" });
  for (const row of rows) app.openAPIRegistry.registerPath(cloudRoute(row));
  const tags = [...new Set(rows.map((row) => row.tag))].map((name) => ({ name, description: `Operations on ${name}` }));
  return app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "svc platform API",
      version: "1.0.0",
      description:
        "Management of ads with platform keys: channels, advertisers, campaigns, creatives, feeds and reports.",
      license: LICENSE,
      contact: { name: "svc", url: publicUrl },
    },
    servers: [{ url: publicUrl }],
    tags,
  });
}

function cloudRoute<Ctx>(row: AnyEndpoint<Ctx>): Route {
  const names = Object.keys(row.input.shape);
  const inPath = names.filter((name) => row.path.includes(`{${name}}`));
  const mask = Object.fromEntries(inPath.map((name) => [name, true as const]));
  const headerFields = row.upload ? { content_type: true as const, content_encoding: true as const } : {};
  const rest = row.input.omit({ ...mask, ...headerFields } as Record<string, true>);
  const hasRest = Object.keys(rest.shape).length > 0;
  const takesBody = row.method === "POST" || row.method === "PATCH";
  const status = row.status;
  return {
    method: row.method.toLowerCase() as Route["method"],
    path: row.path,
    operationId: row.id,
    summary: row.summary,
    tags: [row.tag],
    description: `Needs the scope \`${row.access}\`.`,
    security: [{ platformKey: [] }],
    request: {
      ...(inPath.length > 0 ? { params: row.input.pick(mask as Record<string, true>) } : {}),
      ...(hasRest && (!takesBody || row.upload) ? { query: rest } : {}),
      ...(takesBody && !row.upload && hasRest
        ? { body: { required: true, content: { "application/json": { schema: rest } } } }
        : {}),
      ...(row.upload ? { body: { required: true, content: uploadContent(row.upload) } } : {}),
    } as NonNullable<Route["request"]>,
    responses: {
      [status]:
        status === 204
          ? { description: "Success, no content" }
          : {
              description: "Success",
              content: {
                "application/json": { schema: row.output },
                ...(row.csv ? { "text/csv": { schema: { type: "string" as const } } } : {}),
              },
            },
      ...failures([
        400,
        401,
        403,
        ...(inPath.length > 0 ? [404] : []),
        ...(takesBody ? [409, 413, 415] : []),
        429,
        503,
      ]),
    },
  };
}

const uploadContent = (types: string[]) =>
  Object.fromEntries(types.map((type) => [type, { schema: { type: "string" as const } }]));
