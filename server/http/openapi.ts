import { OpenAPIHono } from "@hono/zod-openapi";
import type { AnyEndpoint } from "./endpoint";
import type { OffersRow } from "./offers-rows";
import { Answers } from "./openapi-answers";
import { cloudRoute } from "./openapi-cloud-route";
import { addExamples, type OpenApiPaths } from "./openapi-examples";
import { OFFERS_GUIDE, PLATFORM_GUIDE } from "./openapi-guide";
import { offersRoute } from "./openapi-offers-route";

const BEARER = {
  type: "http",
  scheme: "bearer",
  description: "A platform key (`svc_live_…`, `svc_test_…`) or a session token of `POST /v1/auth/login`",
} as const;
const REFRESH_COOKIE = {
  type: "apiKey",
  in: "cookie",
  name: "svc_refresh",
  description: "Set by a log-in; behind https its name begins with `__Secure-`",
} as const;
const CHANNEL_KEY = {
  type: "apiKey",
  in: "header",
  name: "X-SVC-API-Key",
  description: "A channel's key: `svc_srv_…` for servers, `svc_pub_…` for pages of its origins",
} as const;

const LICENSE = { name: "Proprietary", identifier: "LicenseRef-svc" };

const TAGS: Readonly<Record<string, string>> = {
  offers: "Serving, clicks, impressions and signals",
  "Log-in": "Session tokens for people; servers use API keys",
  "API keys": "Keys with scopes: create, rotate, revoke",
  Projects: "Groups of API keys",
  Tenant: "The account that a key belongs to, and its limits",
  "Audit log": "Who changed what, and when",
  Channels: "Surfaces of a publisher, and their keys",
  Advertisers: "Whose campaigns are served",
  Campaigns: "Bids, budgets, schedules and targeting",
  Creatives: "What is shown, and where it leads",
  Products: "A campaign's catalogue, imported as a feed",
  Conversions: "Orders, reported by advertisers and attributed to clicks and views",
  Reports: "Counts and amounts by time and kind",
  Explain: "Why offers win or lose",
  Users: "What is remembered about a publisher's users",
};

/**
 * The OpenAPI 3.1 document of the offers API; `conversions` are its operations for advertisers, called with platform
 * keys.
 */
export function offersOpenApi<Ctx>(
  publicUrl: string,
  rows: readonly OffersRow[],
  conversions: readonly AnyEndpoint<Ctx>[],
): object {
  const { openAPIRegistry: registry, ...app } = documentOf();
  const answers = new Answers(registry);
  registry.registerComponent("securitySchemes", "channelKey", CHANNEL_KEY);
  registry.registerComponent("securitySchemes", "bearer", BEARER);
  for (const row of rows) registry.registerPath(offersRoute(row, answers));
  for (const row of conversions) registry.registerPath(cloudRoute(row, answers, "Platform"));
  return app.write({
    publicUrl,
    title: "svc offers API",
    description: OFFERS_GUIDE,
    tags: tagsOf([...rows, ...conversions]),
  });
}

/** The OpenAPI 3.1 document of the platform API; every security requirement comes from a row's scope. */
export function cloudOpenApi<Ctx>(publicUrl: string, rows: readonly AnyEndpoint<Ctx>[]): object {
  const { openAPIRegistry: registry, ...app } = documentOf();
  const answers = new Answers(registry);
  registry.registerComponent("securitySchemes", "bearer", BEARER);
  if (rows.some(({ usesCookie }) => usesCookie)) {
    registry.registerComponent("securitySchemes", "refreshCookie", REFRESH_COOKIE);
  }
  for (const row of rows) registry.registerPath(cloudRoute(row, answers));
  return app.write({ publicUrl, title: "svc platform API", description: PLATFORM_GUIDE, tags: tagsOf(rows) });
}

interface About {
  publicUrl: string;
  title: string;
  description: string;
  tags: { name: string; description: string }[];
}

function documentOf() {
  const app = new OpenAPIHono();
  const write = ({ publicUrl, title, description, tags }: About): object => {
    const document = app.getOpenAPI31Document({
      openapi: "3.1.0",
      info: {
        ...{ title, version: "1.0.0", description },
        license: LICENSE,
        contact: { name: "svc", url: publicUrl },
      },
      servers: [{ url: publicUrl }],
      tags,
    });
    addExamples(document.paths as OpenApiPaths);
    return document;
  };
  return { openAPIRegistry: app.openAPIRegistry, write };
}

const tagsOf = (rows: readonly { tag: string }[]) =>
  [...new Set(rows.map(({ tag }) => tag))].map((name) => ({
    name,
    description: TAGS[name] ?? `Operations on ${name}`,
  }));
