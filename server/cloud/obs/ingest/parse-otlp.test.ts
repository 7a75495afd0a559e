import { describe, expect, it } from "vitest";
import { ExactNumber } from "../../../kernel/exact-number";
import { parseOtlp } from "./parse-otlp";
import type { Signal } from "./telemetry";

const NOW = new Date("2018-12-14T00:00:00Z");
const text = (stringValue: string) => ({ stringValue });
const resource = { attributes: [{ key: "service.name", value: text("my.service") }] };
const scope = { name: "my.library", version: "1.0.0" };

/** As the examples of opentelemetry-proto 1.3. */
const log = {
  timeUnixNano: "1544712660300000000",
  observedTimeUnixNano: "1544712660300000000",
  severityNumber: 10,
  severityText: "Information",
  body: text("Example log record"),
  traceId: "5B8EFFF798038103D269B633813FC60C",
  spanId: "EEE19B7EC3C1B174",
  attributes: [
    { key: "string.attribute", value: text("some string") },
    { key: "boolean.attribute", value: { boolValue: true } },
    { key: "int.attribute", value: { intValue: "10" } },
    { key: "double.attribute", value: { doubleValue: 637.704 } },
    { key: "array.attribute", value: { arrayValue: { values: [text("many"), text("values")] } } },
    { key: "map.attribute", value: { kvlistValue: { values: [{ key: "some.map.key", value: text("some value") }] } } },
  ],
};
const span = {
  traceId: log.traceId,
  spanId: log.spanId,
  parentSpanId: "EEE19B7EC3C1B173",
  name: "I'm a server span",
  startTimeUnixNano: "1544712660000000000",
  endTimeUnixNano: "1544712661000000000",
  kind: 2,
  attributes: [{ key: "my.span.attr", value: text("some value") }],
};
const logs = (...logRecords: unknown[]) => ({ resourceLogs: [{ resource, scopeLogs: [{ scope, logRecords }] }] });
const spans = (...list: unknown[]) => ({ resourceSpans: [{ resource, scopeSpans: [{ scope, spans: list }] }] });
const metrics = (...list: unknown[]) => ({ resourceMetrics: [{ resource, scopeMetrics: [{ scope, metrics: list }] }] });
const owner = { tenant_id: "t", rid: "res_1", expires: 1 };
const shared = {
  ...owner,
  id: expect.stringMatching(/^rec_[0-9a-z]{26}\d{4}$/),
  service: "my.service",
  scope: "my.library",
  resource_id: expect.stringMatching(/^[0-9a-f]{32}$/),
};

function parse(signal: Signal, body: unknown) {
  const { rows, resources, ...rest } = parseOtlp(signal, body, { now: NOW, owner });
  return { ...rest, rows: rows.map((row) => JSON.parse(row)), resources: resources.map((row) => JSON.parse(row)) };
}

describe("export requests of OTLP", () => {
  it("have log records, with attributes of every type", () => {
    expect(parse("log", logs(log))).toEqual({
      refused: 0,
      resources: [{ ...owner, resource_id: shared.resource_id, resource: { "service.name": "my.service" } }],
      rows: [
        {
          ...shared,
          time: "2018-12-13 14:51:00.300000000",
          severity_number: 10,
          severity: "Information",
          body: "Example log record",
          trace_id: log.traceId.toLowerCase(),
          span_id: log.spanId.toLowerCase(),
          attributes: {
            "string.attribute": "some string",
            "boolean.attribute": "true",
            "int.attribute": "10",
            "double.attribute": "637.704",
            "array.attribute": '["many","values"]',
            "map.attribute": '{"some.map.key":"some value"}',
          },
        },
      ],
    });
  });

  it("have spans", () => {
    const { rows } = parse("trace", spans(span));
    expect(rows).toMatchObject([
      { ...shared, name: span.name, kind: "server", status: "unset", duration_ns: "1000000000" },
    ]);
  });

  it("have gauges, sums and histograms", () => {
    const point = { timeUnixNano: "1544712660300000000", attributes: span.attributes };
    const { rows, refused } = parse(
      "metric",
      metrics(
        { name: "my.gauge", unit: "1", gauge: { dataPoints: [{ ...point, asDouble: 10.5 }] } },
        {
          name: "my.counter",
          sum: { aggregationTemporality: 1, isMonotonic: true, dataPoints: [{ ...point, asInt: "5" }] },
        },
        {
          name: "my.histogram",
          histogram: {
            aggregationTemporality: 2,
            dataPoints: [{ ...point, count: 2, sum: 2, bucketCounts: [1, 1], explicitBounds: [1] }],
          },
        },
      ),
    );
    expect([refused, rows]).toMatchObject([
      0,
      [
        { name: "my.gauge", type: "gauge", value: 10.5, unit: "1" },
        { name: "my.counter", type: "counter", temporality: "delta", value: 5 },
        {
          name: "my.histogram",
          type: "histogram",
          temporality: "cumulative",
          count: "2",
          buckets: ["1", "1"],
          bounds: [1],
        },
      ],
    ]);
  });

  it.each([
    ["a double has", 1544712660300000000],
    ["a double has not", new ExactNumber("1544712660300000001")],
  ])("may have times as numbers, with all digits, that %s", (_, timeUnixNano) => {
    const { rows } = parse("log", logs({ ...log, timeUnixNano }));
    expect(rows).toMatchObject([
      { time: `2018-12-13 14:51:00.30000000${Number(timeUnixNano instanceof ExactNumber)}` },
    ]);
  });

  it.each([
    ["a time long ago", { ...log, timeUnixNano: "1" }, "timeUnixNano is more than 400 days ago or a day ahead"],
    ["a time that is no number", { ...log, timeUnixNano: "now" }, "timeUnixNano is no integer"],
    ["a severity out of range", { ...log, severityNumber: 25 }, "severityNumber is not 0 to 24"],
    ["a trace id of another length", { ...log, traceId: "ab" }, "traceId is not 16 bytes in hexadecimal"],
    ["a long body", { ...log, body: text("x".repeat(65_537)) }, "body has more than 65536 characters"],
    ["attributes that are none", { ...log, attributes: {} }, "attributes is no array"],
    ["a name of no severity", { ...log, severityNumber: "SEVERITY_NUMBER_LOUD" }, "severityNumber is not 0 to 24"],
    ["no object in its place", null, "it is no object"],
  ])("lose only the record with %s, and name it", (_, wrong, message) => {
    const { rows, refused, message: said } = parse("log", logs(log, wrong, log));
    expect([rows.length, refused, said]).toEqual([2, 1, `resourceLogs[0].scopeLogs[0].logRecords[1]: ${message}.`]);
  });

  it("are none without an object and the array of their signal, and may be empty", () => {
    for (const wrong of [null, [], "x", 1, { resourceSpans: {} }, { resourceSpans: "x" }])
      expect(() => parse("trace", wrong)).toThrow("resourceSpans: expected an array");
    for (const empty of [{}, { resourceSpans: null }, { resourceSpans: [] }, logs(log), { resourceSpans: [{}] }])
      expect(parse("trace", empty)).toEqual({ rows: [], resources: [], refused: 0 });
  });

  it("have at most 10,000 records", () => {
    const { rows, refused } = parse("log", logs(...Array.from({ length: 10_002 }, () => ({ body: text("x") }))));
    expect([rows.length, refused]).toEqual([10_000, 2]);
    const dataPoints = Array.from({ length: 10_003 }, () => ({ asInt: 1 }));
    expect(parse("metric", metrics({ name: "m", gauge: { dataPoints } }))).toMatchObject({ refused: 3 });
  });

  it("store what records share once, however many they are", () => {
    const attributes = Array.from({ length: 60 }, (_, i) => ({ key: `k${i}`, value: text("x".repeat(1000)) }));
    const scopeLogs = [{ scope, logRecords: Array.from({ length: 5000 }, () => ({})) }];
    const body = { resourceLogs: [1, 2].map(() => ({ resource: { attributes }, scopeLogs })) };
    const { rows, resources, refused } = parseOtlp("log", body, { now: NOW, owner });
    expect([rows.length, resources.length, refused]).toEqual([10_000, 1, 0]);
    expect(rows.join("").length + resources.join("").length).toBeLessThan(5_000_000);
  });

  it("refuse texts that their records would repeat, and records that are too large", () => {
    const long = "x".repeat(513);
    const named = { attributes: [{ key: "service.name", value: text(long) }] };
    const records = { scopeLogs: [{ scope, logRecords: [log, log] }] };
    for (const [sent, message] of [
      [{ resource: named, ...records }, "service.name has more than 512 characters"],
      [{ scopeLogs: [{ scope: { name: long }, logRecords: [log, log] }] }, "scope.name has more than 512 characters"],
    ] as const)
      expect(parse("log", { resourceLogs: [sent] })).toEqual({
        rows: [],
        resources: [],
        refused: 2,
        message: `resourceLogs[0].scopeLogs[0].logRecords[0]: ${message}.`,
      });
    const point = { timeUnixNano: log.timeUnixNano, asInt: "1" };
    const metric = { name: long, gauge: { dataPoints: [point, point] } };
    expect(parse("metric", metrics(metric, { ...metric, name: "x", unit: long }))).toMatchObject({ refused: 4 });
    const attributes = Array.from({ length: 5 }, (_, n) => ({ key: `k${n}`, value: text("x".repeat(60_000)) }));
    expect(parse("log", logs({ ...log, attributes }, log))).toMatchObject({ refused: 1, rows: [{}] });
  });

  it("become at most 16 MiB of rows", () => {
    const attributes = Array.from({ length: 4 }, (_, n) => ({ key: `k${n}`, value: text("x".repeat(60_000)) }));
    const { rows, refused, message } = parseOtlp("log", logs(...Array(100).fill({ ...log, attributes })), {
      now: NOW,
      owner,
    });
    expect([rows.length + refused, message]).toEqual([100, expect.stringContaining("more than 16 MiB of records")]);
    expect(rows.join("").length).toBeLessThan(16 * 1024 * 1024);
    expect(rows.length).toBeGreaterThan(60);
  });
});
