import { attributesOf, countOf, fieldsOf, hexOf, RefusedRecord, textOf, timeOf } from "./otlp-value";
import type { TelemetryFields } from "./telemetry";

const KINDS = ["unspecified", "internal", "server", "client", "producer", "consumer"];
const STATUSES = ["unset", "ok", "error"];

/** A Span of OTLP as a row of `otel_spans`. Throws RefusedRecord. */
export function spanRow(record: unknown, now: Date): TelemetryFields {
  const span = fieldsOf(record);
  const traceId = hexOf(span.traceId, { name: "traceId", bytes: 16 });
  const spanId = hexOf(span.spanId, { name: "spanId", bytes: 8 });
  if (traceId === "" || spanId === "") throw new RefusedRecord("traceId and spanId are required");
  const [start, end] = [
    countOf(span.startTimeUnixNano, "startTimeUnixNano"),
    countOf(span.endTimeUnixNano, "endTimeUnixNano"),
  ];
  if (start === 0n) throw new RefusedRecord("startTimeUnixNano is required");
  if (end < start) throw new RefusedRecord("endTimeUnixNano is before startTimeUnixNano");
  const status = fieldsOf(span.status);
  return {
    time: timeOf(start, { name: "startTimeUnixNano", now }),
    name: textOf(span.name, "name"),
    duration_ns: String(end - start),
    kind: oneOf(KINDS, span.kind, "kind"),
    status: oneOf(STATUSES, status.code, "status.code"),
    status_message: textOf(status.message, "status.message"),
    trace_id: traceId,
    span_id: spanId,
    parent_span_id: hexOf(span.parentSpanId, { name: "parentSpanId", bytes: 8 }),
    attributes: attributesOf(span.attributes, "attributes"),
  };
}

/** An enum of OTLP, by number. */
function oneOf(names: readonly string[], value: unknown, name: string): string {
  const found = names[Number(countOf(value, name))];
  if (found === undefined) throw new RefusedRecord(`${name} is not 0 to ${names.length - 1}`);
  return found;
}
