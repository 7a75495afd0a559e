import { anyText, attributesOf, type Warn } from "./otlp-attributes";
import { enumOf, hasTime, hexOf, messageOf, textOf, timeOf } from "./otlp-value";
import type { TelemetryFields } from "./telemetry";

/** Four of each, from 1 on. */
const SEVERITIES = ["trace", "debug", "info", "warn", "error", "fatal"].flatMap((name) =>
  ["", "2", "3", "4"].map((n) => `${name}${n}`),
);
const SEVERITY = { name: "severityNumber", prefix: "SEVERITY_NUMBER_", names: ["unspecified", ...SEVERITIES] };

/** A LogRecord of OTLP as a row of `otel_logs`. Throws RefusedRecord. */
export function logRow(record: unknown, now: Date, warn: Warn): TelemetryFields {
  const log = messageOf(record);
  const time = hasTime(log.timeUnixNano, "timeUnixNano") ? "timeUnixNano" : "observedTimeUnixNano";
  return {
    time: timeOf(log[time], { name: time, now }),
    severity_number: SEVERITY.names.indexOf(enumOf(log.severityNumber, SEVERITY)),
    severity: textOf(log.severityText, "severityText"),
    body: anyText(log.body, "body"),
    attributes: attributesOf(log.attributes, "attributes", warn),
    trace_id: hexOf(log.traceId, { name: "traceId", bytes: 16 }),
    span_id: hexOf(log.spanId, { name: "spanId", bytes: 8 }),
  };
}
