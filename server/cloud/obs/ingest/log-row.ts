import { anyText, attributesOf, fieldsOf, hexOf, integerOf, RefusedRecord, textOf, timeOf } from "./otlp-value";
import type { TelemetryFields } from "./telemetry";

const SEVERITY_MAX = 24n;

/** A LogRecord of OTLP as a row of `otel_logs`. Throws RefusedRecord. */
export function logRow(record: unknown, now: Date): TelemetryFields {
  const log = fieldsOf(record);
  const severity = integerOf(log.severityNumber, "severityNumber");
  if (severity < 0n || severity > SEVERITY_MAX) throw new RefusedRecord("severityNumber is not 0 to 24");
  return {
    time: timeOf(log.timeUnixNano ?? log.observedTimeUnixNano, { name: "timeUnixNano", now }),
    severity_number: Number(severity),
    severity: textOf(log.severityText, "severityText"),
    body: anyText(log.body, "body"),
    attributes: attributesOf(log.attributes, "attributes"),
    trace_id: hexOf(log.traceId, { name: "traceId", bytes: 16 }),
    span_id: hexOf(log.spanId, { name: "spanId", bytes: 8 }),
  };
}
