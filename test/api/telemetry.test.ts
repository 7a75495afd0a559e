import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Resource } from "../../server/cloud/core/records/resource";
import type { TelemetryRecord } from "../../server/cloud/obs/ingest/telemetry-record";
import { eventually, makeTenant, type TestApp, testApp } from "../factories/app";
import { manage, platformKey, raiseRate } from "../factories/calls";

const text = (stringValue: string) => ({ stringValue });
const resource = { attributes: [{ key: "service.name", value: text("checkout") }] };
const logsOf = (...bodies: string[]) => ({
  resourceLogs: [
    {
      resource,
      scopeLogs: [
        { logRecords: bodies.map((body) => ({ severityNumber: 9, severityText: "INFO", body: text(body) })) },
      ],
    },
  ],
});
type Page = { data: TelemetryRecord[]; next_cursor: string | null };
type Store = Resource & { secrets?: { ingest_token: string } };

describe("stores of telemetry", () => {
  let test: TestApp;
  let key: string;
  let strange: string;
  beforeAll(async () => {
    test = await testApp();
    const [tenant, other] = [await makeTenant(test), await makeTenant(test)];
    for (const { tenantId } of [tenant, other]) await raiseRate(test, tenantId);
    key = await platformKey(tenant, { mode: "test", scopes: ["gpuc:read", "gpuc:write"] });
    strange = await platformKey(other, { mode: "test", scopes: ["gpuc:read", "gpuc:write"] });
    await activate();
  });
  afterAll(() => test.stop());

  async function call<T = Store>(path: string, sent: { body?: object; method?: string; key?: string } = {}) {
    const response = await manage(test, path, { key, ...sent });
    const body = await response.text();
    return { status: response.status, body: (body === "" ? {} : JSON.parse(body)) as T & { error?: { code: string } } };
  }
  const activate = () => call("/v1/activations", { body: { service: "observe" } });
  const create = async (kind: string, name = `${kind}-store`) =>
    (await call("/v1/resources", { body: { service: "observe", kind, name } })).body;
  /** As an exporter sends it. */
  async function send(
    store: Store,
    body: object | Buffer,
    { token = store.secrets?.ingest_token ?? "", path = "" } = {},
  ) {
    const url = new URL(store.endpoints[0]?.url ?? "");
    const isPacked = Buffer.isBuffer(body);
    const request = new Request(path === "" ? url : new URL(path, url), {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        ...(isPacked && { "content-encoding": "gzip" }),
      },
      body: isPacked ? new Uint8Array(body) : JSON.stringify(body),
    });
    const response = await test.app.platform.fetch(request, { address: "127.0.0.1" });
    return { status: response.status, body: await response.json() };
  }
  const records = async (rid: string, query = "", by = key) =>
    (await call<{ data: TelemetryRecord[] }>(`/v1/observe/${rid}/records${query}`, { key: by })).body.data;

  it("keep logs that an exporter sends with their token, which is shown once and stored nowhere", async () => {
    const store = await create("log");
    expect(store).toMatchObject({
      state: "ready",
      secrets: { ingest_token: expect.stringMatching(/^svc_ing_[a-z2-7]{48}$/) },
    });
    const token = store.secrets?.ingest_token ?? "";
    expect((await create("log")).secrets).toBeUndefined();
    expect((await call(`/v1/resources/${store.rid}`)).body.secrets).toBeUndefined();
    for (const table of ["resources", "telemetry_stores", "events", "audit_entries"]) {
      const { rows } = await test.engines.sql.query(
        `SELECT count(*)::int AS found FROM ${table} t WHERE t::text LIKE $1`,
        [`%${token}%`],
      );
      expect([table, rows[0]]).toEqual([table, { found: 0 }]);
    }

    expect(await send(store, logsOf("first: ß", "second"))).toEqual({ status: 200, body: {} });
    expect(await send(store, gzipSync(JSON.stringify(logsOf("Third, packed"))))).toMatchObject({ status: 200 });
    const all = await records(store.rid);
    expect(all.map(({ body }) => body).sort()).toEqual(["Third, packed", "first: ß", "second"]);
    expect(all[0]).toMatchObject({ service: "checkout", severity: "INFO", severity_number: 9 });
    expect((await records(store.rid, "?contains=tHIRD")).map(({ body }) => body)).toEqual(["Third, packed"]);
    expect(await records(store.rid, "?to=2020-01-01T00:00:00Z")).toEqual([]);
    expect(await records(store.rid, "?limit=2")).toHaveLength(2);

    const partly = logsOf("fine");
    Object.assign(partly.resourceLogs[0]?.scopeLogs[0]?.logRecords[0] ?? {}, { traceId: "zz" });
    expect(await send(store, partly)).toEqual({
      status: 200,
      body: {
        partialSuccess: {
          rejectedLogRecords: "1",
          errorMessage: "resourceLogs[0].scopeLogs[0].logRecords[0]: traceId is not 16 bytes in hexadecimal.",
        },
      },
    });
  });

  it("keep spans and metrics, each in a store of its kind", async () => {
    const [traces, metrics] = [await create("trace"), await create("metric")];
    const now = `${BigInt(Date.now()) * 1_000_000n}`;
    const span = {
      traceId: "5b8efff798038103d269b633813fc60c",
      spanId: "eee19b7ec3c1b174",
      name: "GET /pay",
      startTimeUnixNano: now,
      endTimeUnixNano: `${BigInt(now) + 5_000_000n}`,
      status: { code: 2 },
    };
    const spans = { resourceSpans: [{ resource, scopeSpans: [{ spans: [span] }] }] };
    expect((await send(traces, spans)).status).toBe(200);
    expect(await records(traces.rid)).toMatchObject([{ name: "GET /pay", status: "error", duration_ns: "5000000" }]);
    const sum = { isMonotonic: true, aggregationTemporality: 2, dataPoints: [{ asInt: "7", timeUnixNano: now }] };
    const sent = { resourceMetrics: [{ resource, scopeMetrics: [{ metrics: [{ name: "orders", sum }] }] }] };
    expect((await send(metrics, sent)).status).toBe(200);
    expect(await records(metrics.rid)).toMatchObject([{ name: "orders", type: "counter", value: 7 }]);
    const other = `/v1/observe/${metrics.rid}/otlp/v1/traces`;
    expect(await send(metrics, spans, { path: other })).toMatchObject({
      status: 404,
      body: { code: 5, message: expect.stringContaining("The store takes records of metric") },
    });
  });

  it("store once what the records of a request share, and return it with each", async () => {
    const store = await create("log", "shared");
    const attributes = [resource.attributes[0], { key: "pod", value: text("p".repeat(1000)) }];
    const logRecords = Array.from({ length: 500 }, (_, n) => ({ body: text(`number ${n}`) }));
    const sent = { resourceLogs: [{ resource: { attributes }, scopeLogs: [{ logRecords }] }] };
    for (let n = 0; n < 2; n++) expect((await send(store, sent)).status).toBe(200);
    const all = await records(store.rid, "?limit=1000");
    expect(all).toHaveLength(1000);
    for (const record of all) expect(record.resource).toEqual({ "service.name": "checkout", pod: "p".repeat(1000) });
    const bytes = await test.engines.clickhouse.query({
      query: `SELECT sum(length(resource)) AS inRows, (SELECT uniq(resource_id) FROM telemetry_resources WHERE rid = {rid:String}) AS kept
        FROM otel_logs WHERE rid = {rid:String}`,
      query_params: { rid: store.rid },
      format: "JSONEachRow",
    });
    expect(await bytes.json()).toEqual([{ inRows: "0", kept: "1" }]);
  });

  it("take small requests that say much within their bounds, and those of others beside them", async () => {
    const [store, other] = [await create("log", "hostile"), await create("log", "other")];
    const large = { attributes: [1, 2].map((n) => ({ key: `k${n}`, value: text("x".repeat(60_000)) })) };
    const logRecords = Array.from({ length: 10_000 }, () => ({}));
    const packed = gzipSync(JSON.stringify({ resourceLogs: [{ resource: large, scopeLogs: [{ logRecords }] }] }));
    const ofStore = Array.from({ length: 4 }, () => send(store, packed));
    expect((await send(other, logsOf("beside"))).status).toBe(200);
    for (const { status, body } of await Promise.all(ofStore)) {
      expect(status).toBe(200);
      // One of the two attributes is dropped.
      expect(body).toMatchObject({ partialSuccess: { rejectedLogRecords: "0" } });
    }
    expect(await records(other.rid)).toHaveLength(1);
    // What is returned is bounded as well.
    const body = { body: text("b".repeat(65_000)) };
    const many = { resourceLogs: [{ scopeLogs: [{ logRecords: Array.from({ length: 200 }, () => body) }] }] };
    expect((await send(store, gzipSync(JSON.stringify(many)))).status).toBe(200);
    const some = await records(store.rid, "?limit=1000");
    expect(some.length).toBeGreaterThan(100);
    expect(JSON.stringify(some).length).toBeLessThan(9 << 20);
  });

  it("keep what JSON has no number for, and say what a data point does not have", async () => {
    const store = await create("metric");
    const dataPoints = [
      { asDouble: "NaN", attributes: [{ key: "a", value: { doubleValue: "Infinity" } }] },
      { asDouble: "-Infinity" },
      { asInt: "9007199254740993" },
      { flags: 1 },
      { asDouble: "none" },
    ];
    const histogram = { dataPoints: [{ count: 1, min: "NaN", explicitBounds: ["Infinity"], bucketCounts: [1, 0] }] };
    const metrics = [
      { name: "point.g", gauge: { dataPoints } },
      { name: "point.h", histogram },
    ];
    expect(
      (await send(store, { resourceMetrics: [{ scopeMetrics: [{ metrics }] }] }, { token: key })).body,
    ).toMatchObject({
      partialSuccess: { rejectedDataPoints: "1" },
    });
    const [inHistogram, noValue, large, negative, nan, ...others] = await records(store.rid, "?contains=point");
    expect(others).toEqual([]);
    expect(nan).toMatchObject({ value: "NaN", attributes: { a: "Infinity" } });
    expect(negative).toMatchObject({ value: "-Infinity" });
    expect(large).toMatchObject({ value: 2 ** 53, value_int: "9007199254740993" });
    expect(noValue).toMatchObject({ no_recorded_value: true });
    expect(noValue).not.toHaveProperty("value");
    expect(inHistogram).toMatchObject({ count: "1", min: "NaN", bounds: ["Infinity"], buckets: ["1", "0"] });
    expect(inHistogram).not.toHaveProperty("value");
  });

  it("take codings of gzip by every name, and answer in the media type of the request", async () => {
    const store = await create("log");
    const post = async (headers: Record<string, string>, body: Uint8Array<ArrayBuffer>) => {
      const authorization = `Bearer ${key}`;
      const request = new Request(store.endpoints[0]?.url ?? "", {
        method: "POST",
        headers: { authorization, ...headers },
        body,
      });
      return test.app.platform.fetch(request, { address: "127.0.0.1" });
    };
    const json = { "content-type": "Application/JSON; charset=utf-8" };
    const [plain, packed] = [JSON.stringify(logsOf("x")), gzipSync(JSON.stringify(logsOf("x")))];
    for (const coding of ["gzip", "x-gzip", "GZIP", "identity, X-Gzip"])
      expect((await post({ ...json, "content-encoding": coding }, new Uint8Array(packed))).status).toBe(200);
    for (const coding of ["identity", ""])
      expect((await post({ ...json, "content-encoding": coding }, new Uint8Array(Buffer.from(plain)))).status).toBe(
        200,
      );
    const refused = await post({ ...json, "content-encoding": "zstd" }, new Uint8Array(packed));
    expect([refused.status, refused.headers.get("accept-encoding"), await refused.json()]).toEqual([
      415,
      "gzip",
      {
        code: 3,
        message: "Content-Encoding: expected gzip, or none.",
        details: [
          {
            "@type": "type.googleapis.com/google.rpc.ErrorInfo",
            reason: "unsupported_media_type",
            domain: "svc",
            metadata: { request_id: expect.any(String) },
          },
        ],
      },
    ]);
    const protobuf = await post({ "content-type": "application/x-protobuf" }, new Uint8Array(1));
    expect([protobuf.status, protobuf.headers.get("content-type")]).toEqual([415, "application/x-protobuf"]);
    const [, code, field, length = 0, ...rest] = new Uint8Array(await protobuf.arrayBuffer());
    expect([code, field]).toEqual([3, 0x12]);
    // Shorter than 16,384 bytes, the length takes two.
    const text = Buffer.from(length < 128 ? rest : rest.slice(1)).toString();
    expect(text).toMatch(/^Send OTLP's JSON with Content-Type: application\/json;.*\.$/);
  });

  it("are paged through whole, however many records have one time", async () => {
    const store = await create("trace");
    const [startTimeUnixNano, traceId] = [`${BigInt(Date.now()) * 1_000_000n}`, "5b8efff798038103d269b633813fc60c"];
    const spans = Array.from({ length: 23 }, (_, n) => ({
      traceId,
      spanId: `${n + 1}`.padStart(16, "0"),
      name: "one moment",
      startTimeUnixNano,
      endTimeUnixNano: startTimeUnixNano,
    }));
    const sent = { resourceSpans: [{ scopeSpans: [{ spans }] }] };
    // The second time they are equal to those of the first.
    for (let n = 0; n < 2; n++) expect((await send(store, sent, { token: key })).status).toBe(200);
    const seen: TelemetryRecord[] = [];
    for (let next: string | null = ""; next !== null; ) {
      const query: string = `contains=moment&limit=10${next && `&cursor=${next}`}`;
      const page: { status: number; body: Page } = await call<Page>(`/v1/observe/${store.rid}/records?${query}`);
      expect(page.status).toBe(200);
      seen.push(...page.body.data);
      next = page.body.next_cursor;
    }
    expect(new Set(seen.map(({ id }) => id)).size).toBe(46);
    const inOrder = spans.map(({ spanId }) => spanId).reverse();
    expect(seen.map(({ span_id }) => span_id)).toEqual([...inOrder, ...inOrder]);
  });

  it("are closed to others, to wrong tokens and to what is no request of OTLP", async () => {
    const store = await create("log", "closed");
    await send(store, logsOf("secret"));
    expect((await call(`/v1/observe/${store.rid}/records`, { key: strange })).status).toBe(404);
    expect((await send(store, logsOf("x"), { token: strange })).status).toBe(404);
    expect((await send(store, logsOf("x"), { token: `svc_ing_${"a".repeat(48)}` })).status).toBe(401);
    expect((await send(store, logsOf("x"), { token: "" })).status).toBe(401);
    expect((await send(store, logsOf("x"), { path: "/v1/observe/res_none/otlp/v1/logs" })).status).toBe(401);
    expect((await send(store, [])).status).toBe(400);
    expect((await send(store, { resourceLogs: {} })).status).toBe(400);
    expect(await send(store, {})).toEqual({ status: 200, body: {} });
    expect((await send(store, Buffer.from("no gzip"))).status).toBe(400);
    expect((await send(store, gzipSync(Buffer.alloc(17 * 1024 * 1024)))).status).toBe(413);
    expect(await records(store.rid)).toHaveLength(1);
    // A key of the project needs no token.
    expect((await send(store, logsOf("by key"), { token: key })).status).toBe(200);
    expect(await records(store.rid)).toHaveLength(2);
  });

  it("have each record once that was acknowledged before svc was stopped", async () => {
    const store = await create("log", "restarted");
    await Promise.all(Array.from({ length: 20 }, (_, i) => send(store, logsOf(`number ${i}`))));
    await test.restart();
    await eventually(async () => (await records(store.rid)).length >= 20);
    expect(new Set((await records(store.rid)).map(({ body }) => body)).size).toBe(20);
    expect(await records(store.rid)).toHaveLength(20);
  });

  it("refuse records while they are suspended, keep those that they have, and are deleted with them", async () => {
    const store = await create("log", "deleted");
    await send(store, logsOf("kept"));
    await call("/v1/activations/observe", { method: "DELETE" });
    await eventually(async () => (await call(`/v1/resources/${store.rid}`)).body.state === "suspended");
    expect(await send(store, logsOf("lost"))).toMatchObject({
      status: 409,
      body: { code: 9, message: "The store is suspended: activate the service observe." },
    });
    expect((await records(store.rid)).map(({ body }) => body)).toEqual(["kept"]);
    await activate();
    await eventually(async () => (await call(`/v1/resources/${store.rid}`)).body.state === "ready");
    expect((await send(store, logsOf("more"))).status).toBe(200);
    expect(await records(store.rid)).toHaveLength(2);
    // One whose records are on their way when it is deleted.
    await send(store, logsOf("late"));
    await call(`/v1/resources/${store.rid}`, { method: "DELETE" });
    expect((await call(`/v1/observe/${store.rid}/records`)).status).toBeGreaterThanOrEqual(404);
    await eventually(async () => (await call(`/v1/resources/${store.rid}`)).status === 404);
    const left = await test.engines.clickhouse.query({
      query: "SELECT count() AS count FROM otel_logs WHERE rid = {rid:String}",
      query_params: { rid: store.rid },
      format: "JSONEachRow",
    });
    expect(await left.json()).toEqual([{ count: "0" }]);
    expect((await send(store, logsOf("x"))).status).toBe(401);
  });
});
