import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { adsManagementRows } from "../../server/http/ads-management.rows";
import { conversionRows } from "../../server/http/conversion-rows";
import { offersRows } from "../../server/http/offers-rows";
import { cloudOpenApi, offersOpenApi } from "../../server/http/openapi";

interface Operation {
  operationId: string;
  security: Record<string, unknown>[];
  parameters?: { in: string; name: string; required: boolean; schema: object }[];
  requestBody?: { content: Record<string, { schema: object }> };
  responses: Record<string, { content?: Record<string, { schema: { $ref?: string } }>; headers?: object }>;
}

interface Document {
  openapi: string;
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, unknown>; securitySchemes: Record<string, object> };
}

const PUBLIC_URL = "https://svc.example";
const documents = {
  offers: offersOpenApi(PUBLIC_URL, offersRows, conversionRows) as Document,
  cloud: cloudOpenApi(PUBLIC_URL, adsManagementRows) as Document,
};
const operationsOf = ({ paths }: Document) =>
  Object.entries(paths).flatMap(([at, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path: at, ...operation })),
  );

describe.each(["offers", "cloud"] as const)("the %s document", (name) => {
  const require = createRequire(import.meta.url);
  const here = (file: string) => path.join(import.meta.dirname, file);
  let dir: string;
  let file: string;
  beforeAll(async () => {
    dir = await mkdtemp(path.join(os.tmpdir(), "svc-openapi-"));
    file = path.join(dir, `${name}.json`);
    await writeFile(file, JSON.stringify(documents[name]));
  });
  afterAll(() => rm(dir, { recursive: true, force: true }));

  it("has no error and no warning for Redocly's strict rules", async () => {
    const cli = path.join(path.dirname(require.resolve("@redocly/cli/package.json")), "bin/cli.js");
    const args = [cli, "lint", file, "--config", here("redocly.yaml"), "--format", "json"];
    const report = JSON.parse(await outputOf(args)) as { totals: object; problems: object[] };
    expect(report).toMatchObject({ totals: { errors: 0, warnings: 0, ignored: 0 }, problems: [] });
  }, 60_000);

  it("has no finding of Spectral's OpenAPI rules", async () => {
    const cli = path.join(path.dirname(require.resolve("@stoplight/spectral-cli/package.json")), "dist/index.js");
    const args = [cli, "lint", file, "--ruleset", here("spectral.json"), "--format", "json", "--quiet"];
    expect(JSON.parse(await outputOf(args))).toEqual([]);
  }, 60_000);

  it("documents every failure in the one shape of errors, with a request id", () => {
    for (const { operationId, responses } of operationsOf(documents[name])) {
      const failures = Object.entries(responses).filter(([status]) => Number(status) >= 400);
      // A click is answered to anybody, however often.
      const expected = operationId === "followClick" ? [400, 503] : [400, 429, 503];
      expect(failures.map(([status]) => Number(status))).toEqual(expect.arrayContaining(expected));
      for (const [status, { content, headers }] of failures) {
        const seen = [operationId, status, content?.["application/json"]?.schema.$ref];
        expect(seen).toEqual([operationId, status, "#/components/schemas/Error"]);
        expect(headers).toHaveProperty("X-Request-ID");
      }
    }
  });
});

describe("the offers document", () => {
  it("has exactly the endpoints of the specification, with the key where it is needed", () => {
    const seen = operationsOf(documents.offers).map((one) => [one.method, one.path, one.security.length > 0]);
    expect(seen).toEqual([
      ["POST", "/api/v1/offers", true],
      ["GET", "/api/v1/offers", true],
      ["POST", "/api/v1/signals", true],
      ["GET", "/api/v1/clicks/{offer_id}", false],
      ["POST", "/api/v1/impressions/batch", false],
      ["GET", "/api/v1/conversions/pixel.gif", false],
      ["POST", "/api/v1/conversions", true],
    ]);
    expect(documents.offers.components.securitySchemes).toEqual({
      platformKey: { type: "http", scheme: "bearer" },
      channelKey: { type: "apiKey", in: "header", name: "X-SVC-API-Key" },
    });
    expect(documents.offers.servers).toEqual([{ url: PUBLIC_URL }]);
  });

  it("names the failures that each operation has", () => {
    const failures = operationsOf(documents.offers).map(({ operationId, responses }) => [
      operationId,
      Object.keys(responses)
        .map(Number)
        .filter((status) => status >= 400),
    ]);
    expect(Object.fromEntries(failures)).toEqual({
      serveOffers: [400, 401, 413, 415, 429, 503],
      getOffers: [400, 401, 429, 503],
      reportSignals: [400, 401, 413, 415, 429, 503],
      followClick: [400, 404, 503],
      reportImpressions: [400, 401, 413, 415, 429, 503],
      followPixel: [400, 401, 429, 503],
      reportConversion: [400, 401, 403, 409, 413, 415, 429, 503],
    });
  });

  it("answers everything but a click with a status of 2XX", () => {
    for (const { operationId, responses } of operationsOf(documents.offers)) {
      const fine = operationId === "followClick" ? "302" : /^20[0-9]$/;
      expect(Object.keys(responses)).toContainEqual(expect.stringMatching(fine));
    }
  });

  it("has the same fields in the query string as in the body, with the specification's defaults", () => {
    const { get, post } = documents.offers.paths["/api/v1/offers"] ?? {};
    const query = Object.fromEntries((get?.parameters ?? []).map(({ name, schema }) => [name, schema]));
    const body = post?.requestBody?.content["application/json"]?.schema as { properties: Record<string, object> };
    expect(Object.keys(query)).toEqual(Object.keys(body.properties));
    const limit = { type: "integer", minimum: 1, maximum: 8, default: 1 };
    expect(body.properties.limit).toMatchObject(limit);
    expect(query.limit).toMatchObject(limit);
    expect(body.properties).toMatchObject({
      query: { default: "" },
      context: { default: "" },
      placement: { default: "sponsored_result" },
      user_id: { default: "" },
      session_id: { default: "" },
      locale: { default: "en" },
      device: { default: "desktop", enum: ["desktop", "mobile", "tablet"] },
      geo: { default: "" },
      signals: { default: null, maxItems: 10 },
    });
  });
});

describe("the cloud document", () => {
  it("names a row's operation, its scope's key and its path parameters", () => {
    const operations = operationsOf(documents.cloud);
    expect(operations.map(({ operationId }) => operationId)).toEqual(adsManagementRows.map(({ id }) => id));
    for (const { path: at, security, parameters = [] } of operations) {
      expect(security).toEqual([{ platformKey: [] }]);
      const inPath = parameters.filter((one) => one.in === "path");
      expect(inPath.map(({ name }) => `{${name}}`)).toEqual(at.match(/\{\w+\}/g) ?? []);
      expect(inPath.every(({ required }) => required)).toBe(true);
    }
  });
});

/** What a Node program prints; linters exit with 1 when they found something. */
async function outputOf(args: string[]): Promise<string> {
  const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true", FORCE_COLOR: "0" };
  const ended = await promisify(execFile)(process.execPath, args, { env, maxBuffer: 64 << 20 }).catch(
    (failure: { stdout: string }) => failure,
  );
  return ended.stdout;
}
