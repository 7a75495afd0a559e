import { createHash } from "node:crypto";
import { ServiceError } from "../../../kernel/errors";
import { logRow } from "./log-row";
import { attributesOf, fieldsOf, listOf, nameOf, RefusedRecord } from "./otlp-value";
import { sampleRows } from "./sample-rows";
import { spanRow } from "./span-row";
import { RECORDS_MAX, type Signal, type TelemetryFields } from "./telemetry";

/** Of a record as it is stored, in characters of JSON; Loki's limit of a line by default. */
const RECORD_LENGTH_MAX = 256 * 1024;
/** Of the attributes of a resource. */
const RESOURCE_LENGTH_MAX = 64 * 1024;
/** Of everything that a request becomes. */
const ROWS_LENGTH_MAX = 16 * 1024 * 1024;
/** Half of a SHA-256 in hexadecimal tells the resources of one store apart. */
const RESOURCE_ID_LENGTH = 32;

/** Columns that say whose a row is, and until when, in Unix seconds. */
export interface RowOwner {
  tenant_id: string;
  rid: string;
  expires: number;
}

/** What a request becomes; records that are refused are named by their place in it. */
export interface ParsedTelemetry {
  /** Rows of `telemetry_resources` in JSON. */
  resources: string[];
  /** Rows of the signal's table in JSON. */
  rows: string[];
  /** Of a metric, its data points. */
  refused: number;
  /** Of the first record that was refused; undefined: none was. */
  message?: string | undefined;
}

interface Shape {
  resources: string;
  scopes: string;
  records: string;
  rowsOf: (record: unknown, now: Date) => TelemetryFields[];
}

const SHAPES: Readonly<Record<Signal, Shape>> = {
  log: {
    resources: "resourceLogs",
    scopes: "scopeLogs",
    records: "logRecords",
    rowsOf: (record, now) => [logRow(record, now)],
  },
  trace: {
    resources: "resourceSpans",
    scopes: "scopeSpans",
    records: "spans",
    rowsOf: (record, now) => [spanRow(record, now)],
  },
  metric: { resources: "resourceMetrics", scopes: "scopeMetrics", records: "metrics", rowsOf: sampleRows },
};

/**
 * The rows of an export request in OTLP's JSON. Attributes that its records share are in one row. A record with an error
 * is refused by itself, and so is what would make more than 16 MiB of rows. Throws `invalid_request` for what is no
 * export request of the signal.
 */
export function parseOtlp(
  signal: Signal,
  body: unknown,
  { now, owner }: { now: Date; owner: RowOwner },
): ParsedTelemetry {
  const { resources, scopes, records, rowsOf } = SHAPES[signal];
  if (!Array.isArray(fieldsOf(body)[resources]))
    throw new ServiceError("invalid_request", `${resources}: expected an array, as in OTLP's JSON.`, {
      param: resources,
    });
  const parsing = new Parsing(owner);
  for (const [r, ofResource] of elementsOf(body, resources)) {
    const resource = orRefusal(() => parsing.resourceOf(fieldsOf(ofResource).resource));
    for (const [s, ofScope] of elementsOf(ofResource, scopes)) {
      const scope = orRefusal(() => nameOf(fieldsOf(fieldsOf(ofScope).scope).name, "scope.name"));
      for (const [i, record] of elementsOf(ofScope, records)) {
        const add = () => parsing.add(rowsOf(record, now), { scope: accepted(scope), ...accepted(resource) });
        const refusal = orRefusal(add);
        if (refusal instanceof RefusedRecord)
          parsing.refuse(pointsOf(record), `${resources}[${r}].${scopes}[${s}].${records}[${i}]: ${refusal.message}.`);
      }
    }
  }
  return parsing.parsed;
}

/** What the rows of a resource share. */
interface SharedColumns {
  service: string;
  resource_id: string;
}

class Parsing {
  readonly parsed: ParsedTelemetry = { resources: [], rows: [], refused: 0 };
  readonly #owner: RowOwner;
  readonly #resourceIds = new Set<string>();
  #length = 0;

  constructor(owner: RowOwner) {
    this.#owner = owner;
  }

  /** Adds the row of a resource, unless an equal one is there. Throws RefusedRecord, for all its records. */
  resourceOf(sent: unknown): SharedColumns {
    const resource = attributesOf(listOf(fieldsOf(sent).attributes, "resource"), "resource");
    const service = nameOf(resource["service.name"], "service.name");
    const json = JSON.stringify(resource);
    if (json === "{}") return { service, resource_id: "" };
    if (json.length > RESOURCE_LENGTH_MAX)
      throw new RefusedRecord(`the attributes of the resource have more than ${RESOURCE_LENGTH_MAX} characters`);
    const id = createHash("sha256").update(json).digest("hex").slice(0, RESOURCE_ID_LENGTH);
    if (!this.#resourceIds.has(id)) {
      const row = JSON.stringify({ ...this.#owner, resource_id: id, resource });
      this.#count(row.length);
      this.#resourceIds.add(id);
      this.parsed.resources.push(row);
    }
    return { service, resource_id: id };
  }

  /** Adds all rows of a record, or none. Throws RefusedRecord. */
  add(rows: readonly TelemetryFields[], shared: SharedColumns & { scope: string }): void {
    if (this.parsed.rows.length + rows.length > RECORDS_MAX)
      throw new RefusedRecord(`a request can have ${RECORDS_MAX} records; send the others in a further one`);
    const texts = rows.map((row) => JSON.stringify({ ...this.#owner, ...shared, ...row }));
    for (const { length } of texts)
      if (length > RECORD_LENGTH_MAX)
        throw new RefusedRecord(`the record has more than ${RECORD_LENGTH_MAX} characters`);
    this.#count(texts.reduce((sum, { length }) => sum + length, 0));
    this.parsed.rows.push(...texts);
  }

  refuse(count: number, message: string): void {
    this.parsed.refused += count;
    this.parsed.message ??= message;
  }

  #count(length: number): void {
    if (this.#length + length > ROWS_LENGTH_MAX)
      throw new RefusedRecord("the request has more than 16 MiB of records; send the others in a further one");
    this.#length += length;
  }
}

function elementsOf(owner: unknown, name: string): IterableIterator<[number, unknown]> {
  const list = fieldsOf(owner)[name];
  return (Array.isArray(list) ? list : []).entries();
}

/** How many records a record counts for: the data points of a metric, else one. */
function pointsOf(record: unknown): number {
  const { gauge, sum, histogram } = fieldsOf(record);
  const points = fieldsOf(gauge ?? sum ?? histogram).dataPoints;
  return Array.isArray(points) ? points.length : 1;
}

function orRefusal<T>(make: () => T): T | RefusedRecord {
  try {
    return make();
  } catch (failure) {
    if (failure instanceof RefusedRecord) return failure;
    throw failure;
  }
}

function accepted<T>(result: T | RefusedRecord): T {
  if (result instanceof RefusedRecord) throw result;
  return result;
}
