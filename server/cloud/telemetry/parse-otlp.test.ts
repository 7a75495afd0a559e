import { describe, expect, it } from "vitest";
import { parseOtlp } from "./parse-otlp";

const NOW = new Date("2018-12-14T00:00:00Z");
const text = (stringValue: string) => ({ stringValue });
const resource = { attributes: [{ key: "service.name", value: text("my.service") }] };
const scope = { name: "my.library", version: "1.0.0" };

/** As the examples of opentelemetry-proto 1.3. */
const log = {
  ...{ timeUnixNano: "1544712660300000000", observedTimeUnixNano: "1544712660300000000" },
  ...{ severityNumber: 10, severityText: "Information", body: text("Example log record") },
  ...{ traceId: "5B8EFFF798038103D269B633813FC60C", spanId: "EEE19B7EC3C1B174" },
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
  ...{ traceId: log.traceId, spanId: log.spanId, parentSpanId: "EEE19B7EC3C1B173", name: "I'm a server span" },
  ...{ startTimeUnixNano: "1544712660000000000", endTimeUnixNano: "1544712661000000000", kind: 2 },
  attributes: [{ key: "my.span.attr", value: text("some value") }],
};
const logs = (...logRecords: unknown[]) => ({ resourceLogs: [{ resource, scopeLogs: [{ scope, logRecords }] }] });
const spans = (...list: unknown[]) => ({ resourceSpans: [{ resource, scopeSpans: [{ scope, spans: list }] }] });
const metrics = (...list: unknown[]) => ({ resourceMetrics: [{ resource, scopeMetrics: [{ scope, metrics: list }] }] });
const shared = { service: "my.service", scope: "my.library", resource: { "service.name": "my.service" } };

describe("export requests of OTLP", () => {
  it("have log records, with attributes of every type", () => {
    expect(parseOtlp("log", logs(log), NOW)).toEqual({
      refused: 0,
      rows: [
        {
          ...{ ...shared, time: "2018-12-13 14:51:00.300000000", severity_number: 10, severity: "Information" },
          ...{ body: "Example log record", trace_id: log.traceId.toLowerCase(), span_id: log.spanId.toLowerCase() },
          attributes: {
            ...{ "string.attribute": "some string", "boolean.attribute": "true", "int.attribute": "10" },
            ...{ "double.attribute": "637.704", "array.attribute": '["many","values"]' },
            "map.attribute": '{"some.map.key":"some value"}',
          },
        },
      ],
    });
  });

  it("have spans", () => {
    const { rows } = parseOtlp("trace", spans(span), NOW);
    expect(rows).toMatchObject([
      { ...shared, name: span.name, kind: "server", status: "unset", duration_ns: "1000000000" },
    ]);
  });

  it("have gauges, sums and histograms", () => {
    const point = { timeUnixNano: "1544712660300000000", attributes: span.attributes };
    const { rows, refused } = parseOtlp(
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
      NOW,
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
    ["a time long ago", { ...log, timeUnixNano: "1" }, "timeUnixNano is more than 400 days ago or a day ahead"],
    ["a time that is no number", { ...log, timeUnixNano: "now" }, "timeUnixNano is no integer"],
    ["a severity out of range", { ...log, severityNumber: 25 }, "severityNumber is not 0 to 24"],
    ["a trace id of another length", { ...log, traceId: "ab" }, "traceId is not 16 bytes in hexadecimal"],
    ["a long body", { ...log, body: text("x".repeat(65_537)) }, "body has more than 65536 characters"],
    ["attributes that are none", { ...log, attributes: {} }, "attributes is no array"],
  ])("lose only the record with %s, and name it", (_, wrong, message) => {
    const { rows, refused, message: said } = parseOtlp("log", logs(log, wrong, log), NOW);
    expect([rows.length, refused, said]).toEqual([2, 1, `resourceLogs[0].scopeLogs[0].logRecords[1]: ${message}.`]);
  });

  it("lose a metric of a kind that stores do not keep", () => {
    const { message } = parseOtlp("metric", metrics({ name: "s", summary: { dataPoints: [{}] } }), NOW);
    expect(message).toMatch(/"s" is no gauge, sum or histogram\.$/);
  });

  it("are none without the array of their signal, and have at most 10,000 records", () => {
    expect(() => parseOtlp("log", spans(span), NOW)).toThrow("resourceLogs: expected an array");
    for (const wrong of [null, [], "x", 1]) expect(() => parseOtlp("trace", wrong, NOW)).toThrow("resourceSpans");
    const { rows, refused } = parseOtlp(
      "log",
      logs(...Array.from({ length: 10_002 }, () => ({ body: text("x") }))),
      NOW,
    );
    expect([rows.length, refused]).toEqual([10_000, 2]);
  });
});
