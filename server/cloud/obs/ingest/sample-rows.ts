import {
  attributesOf,
  countOf,
  fieldsOf,
  integerOf,
  listOf,
  nameOf,
  numberOf,
  RefusedRecord,
  timeOf,
} from "./otlp-value";
import { RECORDS_MAX, type TelemetryFields } from "./telemetry";

const BUCKETS_MAX = 256;
const TEMPORALITIES: readonly unknown[] = ["", "delta", "cumulative"];

/** The data points of a Metric of OTLP as rows of `metric_samples`. Throws RefusedRecord, for all of them. */
export function sampleRows(record: unknown, now: Date): TelemetryFields[] {
  const metric = fieldsOf(record);
  const name = nameOf(metric.name, "name");
  if (name === "") throw new RefusedRecord("name is required");
  const common = { name, unit: nameOf(metric.unit, "unit") };
  const { gauge, sum, histogram } = metric;
  if (gauge !== undefined)
    return pointsOf(gauge, now, numberPoint).map((row) => ({ ...common, type: "gauge", ...row }));
  if (sum !== undefined)
    return pointsOf(sum, now, numberPoint).map((row) => ({
      ...common,
      temporality: temporalityOf(sum),
      ...row,
      type: fieldsOf(sum).isMonotonic === true ? "counter" : "sum",
    }));
  if (histogram === undefined) throw new RefusedRecord(`"${name}" is no gauge, sum or histogram`);
  const temporality = temporalityOf(histogram);
  return pointsOf(histogram, now, histogramPoint).map((row) => ({ ...common, type: "histogram", temporality, ...row }));
}

type ReadPoint = (point: Record<string, unknown>) => TelemetryFields;

function pointsOf(data: unknown, now: Date, read: ReadPoint): TelemetryFields[] {
  const points = listOf(fieldsOf(data).dataPoints, "dataPoints");
  if (points.length > RECORDS_MAX) throw new RefusedRecord(`dataPoints has more than ${RECORDS_MAX} entries`);
  return points.map(fieldsOf).map((point) => ({
    time: timeOf(point.timeUnixNano, { name: "timeUnixNano", now }),
    attributes: attributesOf(point.attributes, "attributes"),
    ...read(point),
  }));
}

const numberPoint: ReadPoint = ({ asDouble, asInt }) => ({
  value: asInt !== undefined ? Number(integerOf(asInt, "asInt")) : numberOf(asDouble, "asDouble"),
});

const histogramPoint: ReadPoint = (point) => {
  const bounds = listOf(point.explicitBounds, "explicitBounds").map((bound) => numberOf(bound, "explicitBounds"));
  const buckets = listOf(point.bucketCounts, "bucketCounts").map((count) => String(countOf(count, "bucketCounts")));
  if (buckets.length > BUCKETS_MAX) throw new RefusedRecord(`bucketCounts has more than ${BUCKETS_MAX} entries`);
  if (buckets.length > 0 && buckets.length !== bounds.length + 1)
    throw new RefusedRecord("bucketCounts has not one entry more than explicitBounds");
  return {
    value: numberOf(point.sum ?? 0, "sum"),
    count: String(countOf(point.count, "count")),
    bounds,
    buckets,
  };
};

function temporalityOf(data: unknown): string {
  const found = TEMPORALITIES[Number(countOf(fieldsOf(data).aggregationTemporality, "aggregationTemporality"))];
  if (typeof found !== "string") throw new RefusedRecord("aggregationTemporality is not 0 to 2");
  return found;
}
