import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { scopesAllowing } from "../../server/operation/authorize";
import { jsonSchemaOf } from "../../server/operation/json-schema";
import { cloudOpenApi, offersOpenApi } from "../../server/surfaces/http/openapi";
import { offersGroups, orderGroups, platformGroups } from "../../server/surfaces/http/routes";
import { toolByName } from "../../server/surfaces/mcp/tools";
import { type ContractDocument, contractText } from "../contract/openapi/contract-text";
import { offersRows, orderRows, platformRows } from "../factories/rows";

interface Operation {
  operationId: string;
  security: Record<string, unknown>[];
  parameters?: { in: string; name: string; required: boolean; schema: object }[];
  requestBody?: { content: Record<string, { schema: object; example?: unknown }> };
  responses: Record<string, Answer | { $ref: string }>;
}

interface Answer {
  content?: Record<string, { schema: { $ref?: string }; example?: unknown; examples?: object }>;
  headers?: Record<string, unknown>;
}

interface Document {
  openapi: string;
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { responses: Record<string, Answer>; securitySchemes: Record<string, object> };
}

const REWRITE = "The contract changed. If it should: npx vitest run --project api test/api/openapi.test.ts -u";
const PUBLIC_URL = "https://svc.example";
/** Of the whole document, on a machine that has other work. */
const LINT_MS = 180_000;
const documents = {
  offers: offersOpenApi(PUBLIC_URL, offersGroups, orderGroups) as Document,
  cloud: cloudOpenApi(PUBLIC_URL, platformGroups) as Document,
};
/** Operations whose errors have OpenAI's form. */
const openAiIds = new Set(
  platformGroups.flatMap(({ routes }) => routes.flatMap(({ operation: { id, errors } }) => (errors ? [id] : []))),
);
/** The folders of test/contract/openapi, one for each document. */
const CONTRACTS = { offers: "offers", cloud: "platform" };
const operationsOf = ({ paths }: Document) =>
  Object.entries(paths).flatMap(([at, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path: at, ...operation })),
  );

/** The answer itself, where an operation names one that many share. */
function answerOf({ components }: Document, answer: Answer | { $ref: string }): Answer {
  if (!("$ref" in answer)) return answer;
  const shared = components.responses[answer.$ref.replace("#/components/responses/", "")];
  if (!shared) throw new Error(`The document has no ${answer.$ref}.`);
  return shared;
}

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

  it(
    "has no error and no warning for Redocly's strict rules",
    async () => {
      const cli = path.join(path.dirname(require.resolve("@redocly/cli/package.json")), "bin/cli.js");
      const args = [cli, "lint", file, "--config", here("redocly.yaml"), "--format", "json"];
      const report = JSON.parse(await outputOf(args)) as { totals: object; problems: object[] };
      expect(report).toMatchObject({ totals: { errors: 0, warnings: 0, ignored: 0 }, problems: [] });
    },
    LINT_MS,
  );

  it("is the contract that was agreed on", async () => {
    const folder = here(`../contract/openapi/${CONTRACTS[name]}`);
    const files = contractText(documents[name] as unknown as ContractDocument);
    for (const [file, text] of Object.entries(files)) {
      await expect.soft(text).toMatchFileSnapshot(path.join(folder, file), REWRITE);
    }
    const stale = (await readdir(folder)).filter((file) => !(file in files));
    expect(stale, "files of tags that are gone: delete them").toEqual([]);
  });

  it("documents every failure in the one shape of errors, with a request id and an example", () => {
    for (const { operationId, responses } of operationsOf(documents[name])) {
      const failures = Object.entries(responses).filter(([status]) => Number(status) >= 400);
      // A click is answered to anybody, however often.
      const expected = operationId === "followClick" ? [400, 500, 503] : [400, 429, 500, 503];
      expect(failures.map(([status]) => Number(status))).toEqual(expect.arrayContaining(expected));
      for (const [status, answer] of failures) {
        const { content, headers } = answerOf(documents[name], answer);
        const media = content?.["application/json"];
        const shape = openAiIds.has(operationId) ? "OpenAiError" : "Error";
        expect([operationId, status, media?.schema.$ref]).toEqual([
          operationId,
          status,
          `#/components/schemas/${shape}`,
        ]);
        expect(Object.keys(media?.examples ?? {})).not.toEqual([]);
        expect(headers).toHaveProperty("X-Request-ID");
        if (status === "429") expect(headers).toHaveProperty("Retry-After");
      }
    }
  });

  it("shows an example of every body and of every parameter that a path needs", () => {
    const missing = operationsOf(documents[name]).flatMap(
      ({ operationId, parameters = [], requestBody, responses }) => {
        const bodies = Object.values(requestBody?.content ?? {});
        const answers = Object.values(responses).flatMap((answer) =>
          Object.entries(answerOf(documents[name], answer).content ?? {}).filter(([type]) => type !== "image/gif"),
        );
        return [
          ...(bodies.length > 0 && !bodies.some((body) => "example" in body) ? [`${operationId}: body`] : []),
          ...answers.flatMap(([type, media]) =>
            "example" in media || "examples" in media ? [] : [`${operationId}: ${type} of an answer`],
          ),
          ...parameters.flatMap((one) => (one.required && !("example" in one) ? [`${operationId}: ${one.name}`] : [])),
        ];
      },
    );
    expect(missing).toEqual([]);
  });
});

describe("the examples", () => {
  const rows = [...offersRows, ...orderRows, ...platformRows];

  it("are what their operations take and answer", () => {
    for (const { id, method, path: at, input, output, status, example } of rows) {
      const inQuery = method === "GET" || method === "DELETE";
      const sent = Object.entries(example.input as object).map(([name, value]) => [
        name,
        inQuery && !at.includes(`{${name}}`) ? String(value) : value,
      ]);
      expect({ id, error: input.strict().safeParse(Object.fromEntries(sent)).error }).toEqual({ id });
      if (status === 204) continue;
      const strict = output instanceof z.ZodObject ? output.strict() : output;
      expect({ id, error: strict.safeParse(example.output).error }).toEqual({ id });
    }
  });
});

/** The formats of JSON Schema and of OpenAPI's registry that the documents use; others mean nothing to a client. */
const FORMATS = new Set(["date", "date-time", "double", "email", "int32", "int64", "uri", "uuid"]);

it("names only formats that clients of OpenAPI know, in both documents and in the schemas of tools", () => {
  const tools = [...toolByName.values()].flatMap(({ arguments: given, operation: { output } }) => [
    jsonSchemaOf(given, "input"),
    jsonSchemaOf(output, "output"),
  ]);
  const found = JSON.stringify([documents, tools]).matchAll(/"format":"([^"]*)"/g);
  expect([...new Set([...found].map(([, format = ""]) => format))].filter((format) => !FORMATS.has(format))).toEqual(
    [],
  );
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
      bearer: expect.objectContaining({ type: "http", scheme: "bearer" }),
      channelKey: expect.objectContaining({ type: "apiKey", in: "header", name: "X-SVC-API-Key" }),
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
      serveOffers: [400, 401, 413, 415, 429, 500, 503],
      getOffers: [400, 401, 429, 500, 503],
      reportSignals: [400, 401, 413, 415, 429, 500, 503],
      followClick: [400, 404, 500, 503],
      reportImpressions: [400, 401, 413, 415, 429, 500, 503],
      followPixel: [400, 401, 429, 500, 503],
      reportConversion: [400, 401, 403, 409, 413, 415, 429, 500, 503],
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
  const operations = operationsOf(documents.cloud);
  const rowOf = (id: string) => platformRows.find((row) => row.id === id);

  it("has every row, with its path parameters", () => {
    expect(operations.map(({ operationId }) => operationId).sort()).toEqual(platformRows.map(({ id }) => id).sort());
    for (const { path: at, parameters = [] } of operations) {
      const inPath = parameters.filter((one) => one.in === "path");
      expect(inPath.map(({ name }) => `{${name}}`)).toEqual(at.match(/\{\w+\}/g) ?? []);
      expect(inPath.every(({ required }) => required)).toBe(true);
    }
  });

  it("asks for exactly the scope that a row asks for, and for none where anybody may call", () => {
    for (const { operationId, security } of operations) {
      const access = rowOf(operationId)?.access;
      const scopes = security.flatMap((one) => one.bearer ?? []);
      expect([operationId, scopes]).toEqual([operationId, access?.includes(":") ? scopesAllowing(access) : []]);
      expect([operationId, security.some((one) => "bearer" in one)]).toEqual([operationId, access !== "public"]);
    }
  });

  it("offers an Idempotency-Key where a row takes one, and says how a replay shows", () => {
    for (const { operationId, parameters = [], responses } of operations) {
      const isIdempotent = rowOf(operationId)?.idempotent === true;
      expect(parameters.some(({ name }) => name === "Idempotency-Key")).toBe(isIdempotent);
      const [success] = Object.values(responses);
      expect("Idempotency-Replayed" in ((success as Answer | undefined)?.headers ?? {})).toBe(isIdempotent);
    }
  });

  it("shows the rate-limit headers of every answer", () => {
    const names = ["ratelimit-limit", "ratelimit-remaining", "ratelimit-reset", "RateLimit", "RateLimit-Policy"];
    for (const answer of operations.flatMap(({ responses }) => Object.values(responses))) {
      expect(Object.keys(answerOf(documents.cloud, answer).headers ?? {})).toEqual(expect.arrayContaining(names));
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
