import { createHash } from "node:crypto";
import { ServiceError } from "../../../kernel/errors";
import { newId } from "../../../kernel/ids";
import { logRow } from "./log-row";
import { attributesOf, type Warn } from "./otlp-attributes";
import { fieldsOf, isAbsent, nameOf, RefusedRecord } from "./otlp-value";
import { pointsOf, samplesOf } from "./sample-rows";
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

/** An id ends with the place of the record in the request, so that records of one time are in the order of receipt. */
const PLACE_DIGITS = 4;

/** What a request becomes. What is refused is named by its place in the request. */
export interface ParsedTelemetry {
  /** Rows of `telemetry_resources` in JSON. */
  resources: string[];
  /** Rows of the signal's table in JSON. */
  rows: string[];
  /** In log records, spans, or data points of metrics. */
  refused: number;
  /** Of the first that was refused; else of the first part of a record that was dropped; undefined: all is kept. */
  message?: string | undefined;
}

/** A row to be, and where in its record it is; `row` throws RefusedRecord. */
interface RowOfRecord {
  place: string;
  row: () => TelemetryFields;
}

interface Shape {
  resources: string;
  scopes: string;
  records: string;
  rowsOf: (record: unknown, now: Date, warn: Warn) => RowOfRecord[];
  /** How many a record counts for in OTLP. */
  sizeOf: (record: unknown) => number;
}

const SHAPES: Readonly<Record<Signal, Shape>> = {
  log: {
    resources: "resourceLogs",
    scopes: "scopeLogs",
    records: "logRecords",
    rowsOf: (record, now, warn) => [{ place: "", row: () => logRow(record, now, warn) }],
    sizeOf: () => 1,
  },
  trace: {
    resources: "resourceSpans",
    scopes: "scopeSpans",
    records: "spans",
    rowsOf: (record, now, warn) => [{ place: "", row: () => spanRow(record, now, warn) }],
    sizeOf: () => 1,
  },
  metric: {
    resources: "resourceMetrics",
    scopes: "scopeMetrics",
    records: "metrics",
    rowsOf: samplesOf,
    sizeOf: pointsOf,
  },
};

/**
 * The rows of an export request in OTLP's JSON; none for an empty one. Attributes that its records share are in one row.
 * A log record, span or data point with an error is refused by itself, as is what would make more than 16 MiB of rows;
 * an attribute with one is dropped. Throws `invalid_request` for what is no export request of the signal.
 */
export function parseOtlp(
  signal: Signal,
  body: unknown,
  { now, owner }: { now: Date; owner: RowOwner },
): ParsedTelemetry {
  const shape = SHAPES[signal];
  const { resources, scopes, records } = shape;
  assertRequest(body, resources);
  const parsing = new Parsing(owner, now);
  for (const [r, ofResource] of parsing.entriesOf(body, { list: resources, at: "" })) {
    const at = `${resources}[${r}]`;
    const resource = orRefusal(() => parsing.resourceOf(fieldsOf(ofResource).resource, parsing.warnAt(`${at}.`)));
    for (const [s, ofScope] of parsing.entriesOf(ofResource, { list: scopes, at: `${at}.` })) {
      const below = `${at}.${scopes}[${s}].`;
      const scope = orRefusal(() => nameOf(fieldsOf(fieldsOf(ofScope).scope).name, "scope.name"));
      const sharedOf = () => ({ scope: accepted(scope), ...accepted(resource) });
      for (const [i, record] of parsing.entriesOf(ofScope, { list: records, at: below }))
        parsing.record(record, { shape, sharedOf, now, at: `${below}${records}[${i}]` });
    }
  }
  return parsing.parsed;
}

function assertRequest(body: unknown, resources: string): void {
  const isObject = typeof body === "object" && body !== null && !Array.isArray(body);
  const list = fieldsOf(body)[resources];
  if (isObject && (isAbsent(list) || Array.isArray(list))) return;
  throw new ServiceError("invalid_request", `${resources}: expected an array, as in OTLP's JSON.`, {
    param: resources,
  });
}

/** What the rows of a resource share. */
interface SharedColumns {
  service: string;
  resource_id: string;
}

interface RecordPlace {
  shape: Shape;
  /** Throws RefusedRecord. */
  sharedOf: () => SharedColumns & { scope: string };
  now: Date;
  at: string;
}

class Parsing {
  readonly #parsed: Omit<ParsedTelemetry, "message"> = { resources: [], rows: [], refused: 0 };
  #refusal: string | undefined;
  #warning: string | undefined;
  readonly #owner: RowOwner;
  /** The ids of its records begin with it. */
  readonly #request: string;
  readonly #resourceIds = new Set<string>();
  #length = 0;

  constructor(owner: RowOwner, now: Date) {
    this.#owner = owner;
    this.#request = newId("rec", now.getTime());
  }

  get parsed(): ParsedTelemetry {
    const message = this.#refusal ?? this.#warning;
    return { ...this.#parsed, ...(message !== undefined && { message }) };
  }

  /** Says that a part of what is at a place is dropped. */
  warnAt(at: string): Warn {
    return (message) => {
      this.#warning ??= `${at}${message}.`;
    };
  }

  /** The entries of a list of a message; of what is none, nothing, which is said. */
  entriesOf(message: unknown, { list, at }: { list: string; at: string }): IterableIterator<[number, unknown]> {
    const entries = fieldsOf(message)[list];
    if (Array.isArray(entries)) return entries.entries();
    if (!isAbsent(entries)) this.#refuse(1, `${at}${list} is no array.`);
    return [].entries();
  }

  /** Adds the row of a resource, unless an equal one is there. Throws RefusedRecord, for all its records. */
  resourceOf(sent: unknown, warn: Warn): SharedColumns {
    const attributes = attributesOf(fieldsOf(sent).attributes, "resource.attributes", warn);
    const service = nameOf(attributes["service.name"], "service.name");
    const resource = withinLength(attributes, warn);
    const json = JSON.stringify(resource);
    if (json === "{}") return { service, resource_id: "" };
    const id = createHash("sha256").update(json).digest("hex").slice(0, RESOURCE_ID_LENGTH);
    if (!this.#resourceIds.has(id)) {
      const row = JSON.stringify({ ...this.#owner, resource_id: id, resource });
      this.#count(row.length);
      this.#resourceIds.add(id);
      this.#parsed.resources.push(row);
    }
    return { service, resource_id: id };
  }

  /** Adds each row of a record that is accepted. */
  record(record: unknown, { shape: { rowsOf, sizeOf }, sharedOf, now, at }: RecordPlace): void {
    const made = orRefusal(() => ({ shared: sharedOf(), rows: rowsOf(record, now, this.warnAt(`${at}: `)) }));
    if (made instanceof RefusedRecord) {
      this.#refuse(sizeOf(record), `${at}: ${made.message}.`);
      return;
    }
    for (const { place, row } of made.rows) {
      const refusal = orRefusal(() => this.#add(row(), made.shared));
      if (refusal instanceof RefusedRecord) this.#refuse(1, `${at}${place}: ${refusal.message}.`);
    }
  }

  #add(row: TelemetryFields, shared: SharedColumns & { scope: string }): void {
    const { rows } = this.#parsed;
    if (rows.length === RECORDS_MAX)
      throw new RefusedRecord(`a request can have ${RECORDS_MAX} records; send the others in a further one`);
    const id = `${this.#request}${String(rows.length).padStart(PLACE_DIGITS, "0")}`;
    const text = JSON.stringify({ ...this.#owner, id, ...shared, ...row });
    if (text.length > RECORD_LENGTH_MAX)
      throw new RefusedRecord(`the record has more than ${RECORD_LENGTH_MAX} characters`);
    this.#count(text.length);
    rows.push(text);
  }

  #refuse(count: number, message: string): void {
    this.#parsed.refused += count;
    this.#refusal ??= message;
  }

  #count(length: number): void {
    if (this.#length + length > ROWS_LENGTH_MAX)
      throw new RefusedRecord("the request has more than 16 MiB of records; send the others in a further one");
    this.#length += length;
  }
}

/** The first attributes of a resource, as far as they are not too large together. */
function withinLength(attributes: Record<string, string>, warn: Warn): Record<string, string> {
  let length = 0;
  const all = Object.entries(attributes);
  const kept = all.filter(([key, value]) => {
    const own = JSON.stringify(key).length + JSON.stringify(value).length + 2;
    if (length + own > RESOURCE_LENGTH_MAX) return false;
    length += own;
    return true;
  });
  if (kept.length === all.length) return attributes;
  warn(`resource.attributes has more than ${RESOURCE_LENGTH_MAX} characters: attributes beyond them were dropped`);
  return Object.fromEntries(kept);
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
