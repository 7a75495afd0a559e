import { ServiceError } from "../../kernel/errors";
import { logRow } from "./log-row";
import { attributesOf, fieldsOf, listOf, RefusedRecord, textOf } from "./otlp-value";
import { sampleRows } from "./sample-rows";
import { spanRow } from "./span-row";
import type { ParsedTelemetry, Signal, TelemetryFields } from "./telemetry";

export const RECORDS_MAX = 10_000;

/** What the records of one scope share. */
export interface Shared {
  service: string;
  scope: string;
  resource: Record<string, string>;
}

interface Shape {
  resources: string;
  scopes: string;
  records: string;
  rowsOf: (record: unknown, now: Date) => TelemetryFields[];
}

const SHAPES: Readonly<Record<Signal, Shape>> = {
  log: {
    ...{ resources: "resourceLogs", scopes: "scopeLogs", records: "logRecords" },
    rowsOf: (record, now) => [logRow(record, now)],
  },
  trace: {
    ...{ resources: "resourceSpans", scopes: "scopeSpans", records: "spans" },
    rowsOf: (record, now) => [spanRow(record, now)],
  },
  metric: { resources: "resourceMetrics", scopes: "scopeMetrics", records: "metrics", rowsOf: sampleRows },
};

/**
 * The rows of an export request in OTLP's JSON. A record with an error is refused by itself. Throws `invalid_request` for
 * what is no export request of the signal.
 */
export function parseOtlp(signal: Signal, body: unknown, now: Date): ParsedTelemetry {
  const { resources, scopes, records, rowsOf } = SHAPES[signal];
  if (!Array.isArray(fieldsOf(body)[resources]))
    throw new ServiceError("invalid_request", `${resources}: expected an array, as in OTLP's JSON.`, {
      param: resources,
    });
  const parsed: ParsedTelemetry = { rows: [], refused: 0 };
  for (const [r, ofResource] of (fieldsOf(body)[resources] as unknown[]).entries()) {
    const scopeList = fieldsOf(ofResource)[scopes];
    for (const [s, ofScope] of (Array.isArray(scopeList) ? scopeList : []).entries()) {
      const recordList = fieldsOf(ofScope)[records];
      for (const [i, record] of (Array.isArray(recordList) ? recordList : []).entries()) {
        const place = `${resources}[${r}].${scopes}[${s}].${records}[${i}]`;
        addRecord(parsed, place, () => {
          const shared = sharedBy(ofResource, ofScope);
          return rowsOf(record, now).map((row) => ({ ...shared, ...row }));
        });
      }
    }
  }
  return parsed;
}

function addRecord(parsed: ParsedTelemetry, place: string, rowsOf: () => TelemetryFields[]): void {
  try {
    const rows = rowsOf();
    if (parsed.rows.length + rows.length > RECORDS_MAX)
      throw new RefusedRecord(`a request can have ${RECORDS_MAX} records; send the others in a further one`);
    parsed.rows.push(...rows);
  } catch (failure) {
    if (!(failure instanceof RefusedRecord)) throw failure;
    parsed.refused++;
    parsed.message ??= `${place}: ${failure.message}.`;
  }
}

function sharedBy(ofResource: unknown, ofScope: unknown): Shared & TelemetryFields {
  const resource = attributesOf(listOf(fieldsOf(fieldsOf(ofResource).resource).attributes, "resource"), "resource");
  const scope = textOf(fieldsOf(fieldsOf(ofScope).scope).name, "scope.name");
  return { service: resource["service.name"] ?? "", scope, resource };
}
