import { describe, expect, it } from "vitest";
import { parseOtlp } from "./parse-otlp";
import type { Signal } from "./telemetry";
import { recordOf } from "./telemetry-record";

const NOW = new Date("2026-11-20T09:00:00Z");
const [TIME, LATER] = ["1795165200000000001", "1795165200000000007"];
const owner = { tenant_id: "t", rid: "res_1", expires: 1 };
const [traceId, spanId] = ["ABCDEF0123456789abcdef0123456789", "ABCDEF0123456789"];
const attribute = (key: string, value: unknown) => ({ key, value });

function parse(signal: Signal, body: unknown) {
  const { rows, resources, ...rest } = parseOtlp(signal, body, { now: NOW, owner });
  return { ...rest, rows: rows.map((row) => JSON.parse(row)), resources: resources.map((row) => JSON.parse(row)) };
}
const ofLogs = (...logRecords: unknown[]) => parse("log", { resourceLogs: [{ scopeLogs: [{ logRecords }] }] });
const ofSpans = (...spans: unknown[]) => parse("trace", { resourceSpans: [{ scopeSpans: [{ spans }] }] });
const ofMetrics = (...list: unknown[]) => parse("metric", { resourceMetrics: [{ scopeMetrics: [{ metrics: list }] }] });
const gauge = (...dataPoints: unknown[]) => ofMetrics({ name: "m", gauge: { dataPoints } });
const attributesOf = (...attributes: unknown[]) => {
  const { rows, refused, message } = ofLogs({ attributes });
  return [rows[0]?.attributes, refused, message];
};
const span = { traceId, spanId, name: "s", startTimeUnixNano: TIME, endTimeUnixNano: LATER };

describe("a data point with an error", () => {
  it("is refused alone, and counted in data points", () => {
    const { rows, refused, message } = gauge({ asDouble: 1 }, { asDouble: "one" }, {}, { asInt: 2 }, null);
    expect([rows.map(({ value }) => value), refused]).toEqual([[1, 2], 3]);
    expect(message).toBe(
      "resourceMetrics[0].scopeMetrics[0].metrics[0].gauge.dataPoints[1]: asDouble is no number of 64 bits.",
    );
  });

  it.each([
    ["no name", { gauge: { dataPoints: [{ asInt: 1 }, { asInt: 2 }, { asInt: 3 }, { asInt: 4 }] } }, 4],
    ["a wrong temporality", { name: "m", sum: { aggregationTemporality: 9, dataPoints: [{ asInt: 1 }, {}] } }, 2],
    ["a summary and no name", { summary: { dataPoints: [{}, {}, {}] } }, 3],
    ["no data points", { name: "m", gauge: {} }, 0],
    ["no data", { name: "m" }, 0],
    ["data of a later version", { name: "m", later: { dataPoints: [{}] } }, 0],
  ])("counts with all others of a metric with %s", (_, metric, count) => {
    expect(ofMetrics(metric, { name: "m", gauge: { dataPoints: [{ asInt: 1 }] } })).toMatchObject({
      refused: count,
      rows: [{ value: 1 }],
    });
  });
});

describe("values of data points", () => {
  const stored = (point: unknown) => recordOf({ ...gauge(point).rows[0], id: "r" });

  it.each([
    [{ asDouble: "NaN" }, { value: "NaN" }],
    [{ asDouble: "Infinity" }, { value: "Infinity" }],
    [{ asDouble: "-Infinity" }, { value: "-Infinity" }],
    [{ asDouble: "1.5e3" }, { value: 1500 }],
    [{ asDouble: 0 }, { value: 0 }],
    [{ asInt: "0" }, { value: 0 }],
    [{ asInt: "1e3" }, { value: 1000 }],
    [{ asInt: 1544712660300 * 1e6 }, { value_int: "1544712660300000000" }],
    [{ asInt: "9007199254740993" }, { value: 9007199254740992, value_int: "9007199254740993" }],
    [{ asInt: "-9223372036854775808" }, { value: -(2 ** 63), value_int: "-9223372036854775808" }],
    [{ asInt: 9223372036854775807n }, { value: 2 ** 63, value_int: "9223372036854775807" }],
    [
      { as_int: "7", time_unix_nano: TIME },
      { value: 7, time: "2026-11-20 09:00:00.000000001" },
    ],
    [
      { asDouble: null, asInt: "7", timeUnixNano: "0" },
      { value: 7, time: "2026-11-20 09:00:00.000000000" },
    ],
  ])("%o", (point, expected) => {
    expect(stored(point)).toMatchObject(expected);
  });

  it.each([
    { asInt: "9223372036854775808" },
    { asInt: 1e30 },
    { asDouble: "nan" },
    { asDouble: Number.POSITIVE_INFINITY },
    { asDouble: true },
    { asInt: "" },
  ])("are refused where they are none: %j", (point) => {
    expect(gauge(point)).toMatchObject({ rows: [], refused: 1 });
  });

  it("are absent, not 0, in a point that says that it has none", () => {
    const point = { flags: 1, timeUnixNano: TIME };
    const metric = (kind: string) => ({ name: "m", [kind]: { dataPoints: [point] } });
    const kinds = ["gauge", "sum", "histogram", "exponentialHistogram", "summary"];
    const { rows, refused } = ofMetrics(...kinds.map(metric));
    expect(refused).toBe(0);
    for (const row of rows) {
      const record = recordOf({ value: 0, count: "0", bounds: [], buckets: [], ...row });
      expect(record).toMatchObject({ no_recorded_value: true });
      for (const column of ["value", "count", "bounds", "buckets", "no_value"])
        expect(record).not.toHaveProperty(column);
    }
  });

  it("are what each kind of histogram, and a summary, has", () => {
    const { rows, refused } = ofMetrics(
      {
        name: "h",
        histogram: {
          aggregationTemporality: "AGGREGATION_TEMPORALITY_DELTA",
          dataPoints: [{ count: "3", bucketCounts: ["1", 2], explicitBounds: ["Infinity"], min: "-Infinity", max: 4 }],
        },
      },
      {
        name: "e",
        exponential_histogram: {
          aggregation_temporality: 2,
          data_points: [
            { count: 4, sum: "NaN", scale: -1, zero_count: "1", positive: { offset: 2, bucket_counts: ["3"] } },
          ],
        },
      },
      {
        name: "s",
        summary: { dataPoints: [{ count: "2", sum: 5, quantileValues: [{ quantile: 1, value: "NaN" }, {}] }] },
      },
    );
    expect([refused, rows.map((row) => recordOf({ value: 0, ...row }))]).toMatchObject([
      0,
      [
        {
          type: "histogram",
          temporality: "delta",
          count: "3",
          bounds: ["Infinity"],
          buckets: ["1", "2"],
          min: "-Infinity",
          max: 4,
        },
        {
          type: "exponential_histogram",
          temporality: "cumulative",
          count: "4",
          value: "NaN",
          exponential: {
            scale: -1,
            zero_count: "1",
            zero_threshold: 0,
            positive: { offset: 2, counts: ["3"] },
            negative: { offset: 0, counts: [] },
          },
        },
        {
          type: "summary",
          count: "2",
          value: 5,
          quantiles: [
            { quantile: 1, value: "NaN" },
            { quantile: 0, value: 0 },
          ],
        },
      ],
    ]);
    // A sum that is absent is not 0.
    expect(recordOf({ value: 0, ...rows[0] })).not.toHaveProperty("value");
  });
});

describe("attributes", () => {
  it.each([
    ["NaN", { doubleValue: "NaN" }, "NaN"],
    ["infinity in a list", { arrayValue: { values: [{ doubleValue: "-Infinity" }, {}] } }, '["-Infinity",null]'],
    ["a large integer", { intValue: "9223372036854775807" }, "9223372036854775807"],
    ["an integer that is a number", { intValue: 5 }, "5"],
    ["zero, which is a value", { intValue: "0" }, "0"],
    ["false, which is a value", { boolValue: false }, "false"],
    ["an empty text", { stringValue: "" }, ""],
    ["none", null, ""],
    ["a value of a later version", { laterValue: 1 }, ""],
    ["bytes of the other alphabet", { bytesValue: "-_8" }, "+/8="],
    [
      "nested ones, by the names of Protobuf",
      { kvlist_value: { values: [{ key: "a", value: { array_value: { values: [{ int_value: 1 }] } } }] } },
      '{"a":[1]}',
    ],
  ])("can be %s", (_, value, expected) => {
    expect(attributesOf(attribute("k", value))).toEqual([{ k: expected }, 0, undefined]);
  });

  it.each([
    ["an integer that is out of range", { intValue: "9223372036854775808" }],
    ["an integer of more digits", { intValue: 1e30 }],
    ["bytes that are not base 64", { bytesValue: "%" }],
    ["a text that is none", { stringValue: 5 }],
    ["a text that is too long", { stringValue: "x".repeat(65_537) }],
    ["a truth value that is none", { boolValue: "true" }],
    ["a list that is none", { arrayValue: { values: 1 } }],
  ])("are dropped alone if they are %s, and their record is kept", (_, value) => {
    const [kept, refused, message] = attributesOf(attribute("bad", value), attribute("good", { boolValue: true }));
    expect([kept, refused]).toEqual([{ good: "true" }, 0]);
    expect(message).toMatch(
      /^resourceLogs\[0\]\.scopeLogs\[0\]\.logRecords\[0\]: attributes\[0\] \("bad"\).*: the attribute was dropped\.$/,
    );
  });

  it("are dropped alone of a resource, of which the first 64 KiB are kept, and beyond 128", () => {
    const attributes = [
      attribute("a", { stringValue: "x".repeat(40_000) }),
      attribute("b", { stringValue: "x".repeat(40_000) }),
      attribute("service.name", { stringValue: "shop" }),
      attribute("d", { intValue: "x" }),
    ];
    const body = { resourceLogs: [{ resource: { attributes }, scopeLogs: [{ logRecords: [{}] }] }] };
    const { rows, resources, refused, message } = parse("log", body);
    expect([rows[0]?.service, Object.keys(resources[0]?.resource), refused]).toEqual([
      "shop",
      ["a", "service.name"],
      0,
    ]);
    expect(message).toMatch(/^resourceLogs\[0\]\.resource\.attributes\[3\] \("d"\)/);
    const many = Array.from({ length: 130 }, (_, n) => attribute(`k${n}`, { intValue: n }));
    expect(Object.keys(attributesOf(...many)[0])).toHaveLength(128);
  });
});

describe("default values of Protobuf", () => {
  it("are no times, ids, and kinds", () => {
    const zeros = { traceId: "0".repeat(32), spanId: "0".repeat(16), severityNumber: 0, severityText: "", body: {} };
    const { rows, refused } = ofLogs(
      { ...zeros, timeUnixNano: "0", observedTimeUnixNano: TIME },
      { time_unix_nano: TIME, observed_time_unix_nano: LATER },
      { timeUnixNano: 0, observedTimeUnixNano: "0" },
    );
    expect(refused).toBe(0);
    expect(rows).toMatchObject([
      {
        time: "2026-11-20 09:00:00.000000001",
        trace_id: "",
        span_id: "",
        severity_number: 0,
        body: "",
        attributes: {},
      },
      { time: "2026-11-20 09:00:00.000000001" },
      { time: "2026-11-20 09:00:00.000000000" },
    ]);
    expect(
      ofSpans({ ...span, parentSpanId: "0".repeat(16), kind: 0, status: { code: 0, message: "" } }).rows,
    ).toMatchObject([
      { parent_span_id: "", kind: "unspecified", status: "unset", trace_id: traceId.toLowerCase(), duration_ns: "6" },
    ]);
  });

  it.each([
    ["traceId", "0".repeat(32)],
    ["spanId", "0".repeat(16)],
    ["startTimeUnixNano", "0"],
    ["endTimeUnixNano", 0],
  ])("are missing where a span needs a value: %s", (field, value) => {
    const { rows, refused, message } = ofSpans(span, { ...span, [field]: value });
    expect([rows.length, refused, message]).toEqual([1, 1, expect.stringMatching(`${field}.* required`)]);
  });

  it("have names, as enums may be written", () => {
    const named = { kind: "SPAN_KIND_CONSUMER", status: { code: "STATUS_CODE_ERROR" } };
    expect(ofSpans({ ...span, ...named }).rows).toMatchObject([{ kind: "consumer", status: "error" }]);
    const levels = ["SEVERITY_NUMBER_UNSPECIFIED", "SEVERITY_NUMBER_INFO", "SEVERITY_NUMBER_FATAL4", 12, "3"];
    const { rows } = ofLogs(...levels.map((severityNumber) => ({ severityNumber })));
    expect(rows.map((row) => row.severity_number)).toEqual([0, 9, 24, 12, 3]);
  });
});

it("says of what is no list where it is, and keeps what is beside it", () => {
  const scopeLogs = [{ logRecords: {} }, { logRecords: [{}] }];
  expect(parse("log", { resourceLogs: [{ scopeLogs: 1 }, { scopeLogs }] })).toMatchObject({
    rows: [{}],
    refused: 2,
    message: "resourceLogs[0].scopeLogs is no array.",
  });
});
