import { attributesOf, doubleText, type Warn } from "./otlp-attributes";
import { exponentialPoint, histogramPoint, numberPoint, type SamplePoint, summaryPoint } from "./otlp-points";
import {
  countOf,
  enumOf,
  type Fields,
  fieldsOf,
  isAbsent,
  listOf,
  messageOf,
  nameOf,
  RefusedRecord,
  timeOf,
} from "./otlp-value";
import type { StoredDetails } from "./sample-details";
import type { TelemetryFields } from "./telemetry";

const TEMPORALITY = {
  name: "aggregationTemporality",
  prefix: "AGGREGATION_TEMPORALITY_",
  names: ["unspecified", "delta", "cumulative"],
};
/** A bit of the flags of a point. */
const NO_RECORDED_VALUE = 1n;
const NOT_RECORDED: SamplePoint = { value: undefined, details: { no_recorded_value: true } };

type ReadPoint = (point: Fields) => SamplePoint;

/** The members of a Metric that have data points. */
const KINDS: Readonly<Record<string, ReadPoint>> = {
  gauge: numberPoint,
  sum: numberPoint,
  histogram: histogramPoint,
  exponentialHistogram: exponentialPoint,
  summary: summaryPoint,
};

/** One data point, where it is in its metric; `row` throws RefusedRecord if it is refused by itself. */
export interface Sample {
  place: string;
  row: () => TelemetryFields;
}

/** Which member of a Metric has its data points; undefined: none, so that there are none. */
const kindOf = (metric: Fields): string | undefined => Object.keys(KINDS).find((kind) => !isAbsent(metric[kind]));

/** How many data points a Metric has. */
export function pointsOf(record: unknown): number {
  const metric = fieldsOf(record);
  const { dataPoints } = fieldsOf(metric[kindOf(metric) ?? ""]);
  return Array.isArray(dataPoints) ? dataPoints.length : 1;
}

/** The data points of a Metric of OTLP as rows of `metric_samples`. Throws RefusedRecord, for all of them. */
export function samplesOf(record: unknown, now: Date, warn: Warn): Sample[] {
  const metric = messageOf(record);
  const kind = kindOf(metric);
  if (kind === undefined) return [];
  const data = fieldsOf(metric[kind]);
  const points = listOf(data.dataPoints, `${kind}.dataPoints`);
  if (points.length === 0) return [];
  const name = nameOf(metric.name, "name");
  if (name === "") throw new RefusedRecord("name is required");
  const common = {
    name,
    unit: nameOf(metric.unit, "unit"),
    type: typeOf(kind, data),
    temporality: temporalityOf(kind, data),
  };
  return points.map((point, i) => {
    const place = `.${kind}.dataPoints[${i}]`;
    return {
      place,
      row: () => ({ ...common, ...sampleRow(messageOf(point), KINDS[kind] ?? numberPoint, { now, warn }) }),
    };
  });
}

function sampleRow(point: Fields, read: ReadPoint, { now, warn }: { now: Date; warn: Warn }): TelemetryFields {
  const isRecorded = (countOf(point.flags, "flags") & NO_RECORDED_VALUE) === 0n;
  const { value, details, ...columns } = isRecorded ? read(point) : NOT_RECORDED;
  return {
    time: timeOf(point.timeUnixNano, { name: "timeUnixNano", now }),
    attributes: attributesOf(point.attributes, "attributes", warn),
    ...columns,
    ...(value !== undefined && { value: doubleText(value) }),
    details: detailsText({ ...details, ...(value === undefined && { no_value: true }) }),
  };
}

/** Most points have none. */
const detailsText = (details: StoredDetails): string =>
  Object.values(details).every((one) => one === undefined) ? "" : JSON.stringify(details);

/** A sum is a counter if it only grows. */
const typeOf = (kind: string, data: Fields): string =>
  kind === "sum" && data.isMonotonic === true
    ? "counter"
    : kind.replace(/[A-Z]/, (letter) => `_${letter.toLowerCase()}`);

/** Gauges and summaries have none. */
const temporalityOf = (kind: string, data: Fields): string => {
  if (kind === "gauge" || kind === "summary") return "";
  const temporality = enumOf(data.aggregationTemporality, TEMPORALITY);
  return temporality === "unspecified" ? "" : temporality;
};
