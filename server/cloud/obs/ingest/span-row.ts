import { attributesOf, type Warn } from "./otlp-attributes";
import { countOf, enumOf, fieldsOf, hexOf, messageOf, RefusedRecord, textOf, timeOf } from "./otlp-value";
import type { TelemetryFields } from "./telemetry";

const KIND = {
  name: "kind",
  prefix: "SPAN_KIND_",
  names: ["unspecified", "internal", "server", "client", "producer", "consumer"],
};
const STATUS = { name: "status.code", prefix: "STATUS_CODE_", names: ["unset", "ok", "error"] };

/** A Span of OTLP as a row of `otel_spans`. Throws RefusedRecord. */
export function spanRow(record: unknown, now: Date, warn: Warn): TelemetryFields {
  const span = messageOf(record);
  const traceId = hexOf(span.traceId, { name: "traceId", bytes: 16 });
  const spanId = hexOf(span.spanId, { name: "spanId", bytes: 8 });
  if (traceId === "" || spanId === "") throw new RefusedRecord("traceId and spanId are required, and not all zeros");
  const [start, end] = [
    countOf(span.startTimeUnixNano, "startTimeUnixNano"),
    countOf(span.endTimeUnixNano, "endTimeUnixNano"),
  ];
  if (start === 0n) throw new RefusedRecord("startTimeUnixNano is required");
  if (end === 0n) throw new RefusedRecord("endTimeUnixNano is required");
  if (end < start) throw new RefusedRecord("endTimeUnixNano is before startTimeUnixNano");
  const status = fieldsOf(span.status);
  return {
    time: timeOf(start, { name: "startTimeUnixNano", now }),
    name: textOf(span.name, "name"),
    duration_ns: String(end - start),
    kind: enumOf(span.kind, KIND),
    status: enumOf(status.code, STATUS),
    status_message: textOf(status.message, "status.message"),
    trace_id: traceId,
    span_id: spanId,
    parent_span_id: hexOf(span.parentSpanId, { name: "parentSpanId", bytes: 8 }),
    attributes: attributesOf(span.attributes, "attributes", warn),
  };
}
