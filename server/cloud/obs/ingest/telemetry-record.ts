import { z } from "zod";
import { Double, SampleDetails, type StoredDetails } from "./sample-details";

const Texts = z.record(z.string(), z.string());

export const TelemetryRecord = z
  .object({
    id: z.string().describe("Of one record, also of those that are equal"),
    time: z.string().describe("With nanoseconds, in UTC"),
    service: z.string().describe("`service.name` of its resource, or empty"),
    scope: z.string(),
    attributes: Texts,
    resource: Texts,
    severity_number: z.int().optional().describe("Of a log record: 0 to 24"),
    severity: z.string().optional(),
    body: z.string().optional(),
    name: z.string().optional().describe("Of a span or a metric"),
    kind: z.string().optional(),
    duration_ns: z.string().optional().describe("Of a span, an integer"),
    status: z.string().optional().describe("Of a span: unset, ok or error"),
    status_message: z.string().optional(),
    trace_id: z.string().optional(),
    span_id: z.string().optional(),
    parent_span_id: z.string().optional(),
    type: z
      .string()
      .optional()
      .describe("Of a metric: gauge, sum, counter, histogram, exponential_histogram or summary"),
    unit: z.string().optional(),
    temporality: z.string().optional(),
    value: Double.optional().describe("Of a histogram or summary, the sum; absent if the point has none"),
    count: z.string().optional().describe("Of a histogram or summary, an integer"),
    bounds: z.array(Double).optional(),
    buckets: z.array(z.string()).optional(),
    ...SampleDetails.shape,
  })
  .meta({ id: "TelemetryRecord" });
export type TelemetryRecord = z.infer<typeof TelemetryRecord>;

/** What ClickHouse calls the numbers that JSON lacks. */
const NOT_FINITE: Readonly<Record<string, Double>> = { nan: "NaN", inf: "Infinity", "-inf": "-Infinity" };
const doubleOf = (number: number | string): Double => NOT_FINITE[number] ?? (number as Double);

/** A record as it is stored: `details` are JSON or empty. What a data point does not have is left out. */
export function recordOf({ details, ...record }: TelemetryRecord & { details?: string }): TelemetryRecord {
  if (record.value !== undefined) record.value = doubleOf(record.value);
  if (record.bounds) record.bounds = record.bounds.map(doubleOf);
  if (!details) return record;
  const { no_value, ...others } = JSON.parse(details) as StoredDetails;
  if (no_value) delete record.value;
  if (others.no_recorded_value) for (const column of ["count", "bounds", "buckets"] as const) delete record[column];
  return { ...record, ...others };
}
