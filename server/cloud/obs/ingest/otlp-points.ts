import { doubleText } from "./otlp-attributes";
import {
  countOf,
  type Fields,
  fieldsOf,
  int64Of,
  integerOf,
  isAbsent,
  listOf,
  messageOf,
  numberOf,
  RefusedRecord,
} from "./otlp-value";
import type { Double, SampleDetails } from "./sample-details";

const BUCKETS_MAX = 1024;
const INT32_MAX = 2n ** 31n - 1n;

/** What a data point says, in columns of `metric_samples`. */
export interface SamplePoint {
  /** The value, or the sum of a histogram or summary; undefined: it has none. */
  value: number | undefined;
  count?: string;
  bounds?: Double[];
  buckets?: string[];
  details?: SampleDetails;
}

/** A point of a gauge or sum. */
export function numberPoint({ asDouble, asInt }: Fields): SamplePoint {
  if (!isAbsent(asDouble)) return { value: numberOf(asDouble, "asDouble") };
  if (isAbsent(asInt)) throw new RefusedRecord("it has neither asDouble nor asInt");
  const integer = int64Of(asInt, "asInt");
  const value = Number(integer);
  return Number.isSafeInteger(value) ? { value } : { value, details: { value_int: String(integer) } };
}

export function histogramPoint(point: Fields): SamplePoint {
  const bounds = listOf(point.explicitBounds, "explicitBounds").map((bound) => numberOf(bound, "explicitBounds"));
  if (bounds.some(Number.isNaN)) throw new RefusedRecord("explicitBounds has NaN");
  const buckets = countsOf(point.bucketCounts, "bucketCounts");
  if (buckets.length > 0 && buckets.length !== bounds.length + 1)
    throw new RefusedRecord("bucketCounts has not one entry more than explicitBounds");
  return { ...distributionOf(point), bounds: bounds.map(doubleOf), buckets };
}

export function exponentialPoint(point: Fields): SamplePoint {
  const { details, ...columns } = distributionOf(point);
  return {
    ...columns,
    details: {
      ...details,
      exponential: {
        scale: int32Of(point.scale, "scale"),
        zero_count: String(countOf(point.zeroCount, "zeroCount")),
        zero_threshold: doubleOf(numberOf(point.zeroThreshold, "zeroThreshold")),
        positive: sideOf(point.positive, "positive"),
        negative: sideOf(point.negative, "negative"),
      },
    },
  };
}

function sideOf(value: unknown, name: string): { offset: number; counts: string[] } {
  const { offset, bucketCounts } = fieldsOf(value);
  return { offset: int32Of(offset, `${name}.offset`), counts: countsOf(bucketCounts, `${name}.bucketCounts`) };
}

export function summaryPoint(point: Fields): SamplePoint {
  const quantiles = listOf(point.quantileValues, "quantileValues").map(messageOf);
  if (quantiles.length > BUCKETS_MAX) throw new RefusedRecord(`quantileValues has more than ${BUCKETS_MAX} entries`);
  return {
    value: numberOf(point.sum, "sum"),
    count: String(countOf(point.count, "count")),
    details: {
      quantiles: quantiles.map(({ quantile, value }) => ({
        quantile: doubleOf(numberOf(quantile, "quantile")),
        value: doubleOf(numberOf(value, "value")),
      })),
    },
  };
}

/** What both kinds of histograms have. A sum that is absent is not 0. */
function distributionOf({ sum, count, min, max }: Fields): SamplePoint & { details: SampleDetails } {
  return {
    value: isAbsent(sum) ? undefined : numberOf(sum, "sum"),
    count: String(countOf(count, "count")),
    details: {
      ...(!isAbsent(min) && { min: doubleOf(numberOf(min, "min")) }),
      ...(!isAbsent(max) && { max: doubleOf(numberOf(max, "max")) }),
    },
  };
}

function countsOf(value: unknown, name: string): string[] {
  const list = listOf(value, name);
  if (list.length > BUCKETS_MAX) throw new RefusedRecord(`${name} has more than ${BUCKETS_MAX} entries`);
  return list.map((count) => String(countOf(count, name)));
}

function int32Of(value: unknown, name: string): number {
  const integer = integerOf(value, name);
  if (integer < -INT32_MAX - 1n || integer > INT32_MAX) throw new RefusedRecord(`${name} is out of range`);
  return Number(integer);
}

const doubleOf = (number: number): Double => doubleText(number) as Double;
