import { z } from "zod";

const Texts = z.record(z.string(), z.string());

export const TelemetryRecord = z
  .object({
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
    type: z.string().optional().describe("Of a metric: gauge, sum, counter or histogram"),
    unit: z.string().optional(),
    temporality: z.string().optional(),
    value: z.number().optional().describe("Of a histogram, the sum"),
    count: z.string().optional().describe("Of a histogram, an integer"),
    bounds: z.array(z.number()).optional(),
    buckets: z.array(z.string()).optional(),
  })
  .meta({ id: "TelemetryRecord" });
export type TelemetryRecord = z.infer<typeof TelemetryRecord>;
