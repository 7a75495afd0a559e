import { OpenAPIHono } from "@hono/zod-openapi";
import { type RouteGroup, routesOf, type TaggedRoute } from "../../operation/route";
import { cloudRoute } from "./openapi-cloud-route";
import { addExamples, type OpenApiPaths } from "./openapi-examples";
import { OFFERS_GUIDE, PLATFORM_GUIDE } from "./openapi-guide";
import { offersRoute } from "./openapi-offers-route";
import { SharedResponses } from "./openapi-responses";

const BEARER = {
  type: "http",
  scheme: "bearer",
  description: "A platform key (`svc_live_…`, `svc_test_…`) or a session token of `POST /v1/auth/login`",
} as const;
const REFRESH_COOKIE = {
  type: "apiKey",
  in: "cookie",
  name: "svc_refresh",
  description: "Set by a login; with https its name begins with `__Secure-`",
} as const;
const CHANNEL_KEY = {
  type: "apiKey",
  in: "header",
  name: "X-SVC-API-Key",
  description: "A channel's key: `svc_srv_…` for servers, `svc_pub_…` for pages of its origins",
} as const;

const LICENSE = { name: "Proprietary", identifier: "LicenseRef-svc" };

/**
 * Returns the OpenAPI 3.1 document of the offers API; `conversions` are its operations for advertisers, which use
 * platform keys.
 */
export function offersOpenApi(
  publicUrl: string,
  groups: readonly RouteGroup[],
  conversions: readonly RouteGroup[],
): object {
  const { openAPIRegistry: registry, ...app } = documentOf();
  const answers = new SharedResponses(registry);
  registry.registerComponent("securitySchemes", "channelKey", CHANNEL_KEY);
  registry.registerComponent("securitySchemes", "bearer", BEARER);
  for (const row of routesOf(groups)) registry.registerPath(offersRoute(row, answers));
  for (const row of routesOf(conversions)) registry.registerPath(cloudRoute(row, answers, "Platform"));
  return app.write({
    publicUrl,
    title: "svc offers API",
    description: OFFERS_GUIDE,
    tags: tagsOf([...groups, ...conversions]),
    routes: routesOf([...groups, ...conversions]),
  });
}

/**
 * Returns the OpenAPI 3.1 document of the platform API; each security requirement is derived from the scope of a route.
 */
export function cloudOpenApi(publicUrl: string, groups: readonly RouteGroup[]): object {
  const routes = routesOf(groups);
  const { openAPIRegistry: registry, ...app } = documentOf();
  const answers = new SharedResponses(registry);
  registry.registerComponent("securitySchemes", "bearer", BEARER);
  if (routes.some(({ operation }) => operation.usesCookie)) {
    registry.registerComponent("securitySchemes", "refreshCookie", REFRESH_COOKIE);
  }
  for (const row of routes) registry.registerPath(cloudRoute(row, answers));
  return app.write({ publicUrl, title: "svc platform API", description: PLATFORM_GUIDE, tags: tagsOf(groups), routes });
}

interface About {
  publicUrl: string;
  title: string;
  description: string;
  tags: { name: string; description: string }[];
  routes: readonly TaggedRoute[];
}

function documentOf() {
  const app = new OpenAPIHono();
  const write = ({ publicUrl, title, description, tags, routes }: About): object => {
    const document = app.getOpenAPI31Document({
      openapi: "3.1.0",
      info: {
        title,
        version: "1.0.0",
        description,
        license: LICENSE,
        contact: { name: "svc", url: publicUrl },
      },
      servers: [{ url: publicUrl }],
      tags,
    });
    addExamples(document.paths as OpenApiPaths, routes);
    return document;
  };
  return { openAPIRegistry: app.openAPIRegistry, write };
}

const tagsOf = (groups: readonly RouteGroup[]) => {
  const documented = groups.filter(({ routes }) => routes.length > 0);
  return [...new Map(documented.map(({ tag, description }) => [tag, { name: tag, description }])).values()];
};
