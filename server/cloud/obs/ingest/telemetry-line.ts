import { RecordTypes } from "../../../engines/wal/record-types";
import type { Signal } from "./telemetry";

/** A record has the id of the store and the rows. */
const TELEMETRY_RECORDS = new RecordTypes<Signal>({ metric: "M", log: "L", trace: "T" });
/** Between rows, and between those of the two tables: JSON escapes these characters. */
const BETWEEN_ROWS = "\u001e";
const BETWEEN_TABLES = "\u001d";

/** A line of the write-ahead file: what one request adds to a store, so that it is stored as a whole or not at all. */
export interface TelemetryLine {
  signal: Signal;
  rid: string;
  /** JSON, as it is sent to ClickHouse. */
  resources: string[];
  rows: string[];
}

export const lineOf = ({ signal, rid, resources, rows }: TelemetryLine): string =>
  TELEMETRY_RECORDS.lineOf(signal, `${rid} ${resources.join(BETWEEN_ROWS)}${BETWEEN_TABLES}${rows.join(BETWEEN_ROWS)}`);

/** undefined for what is no line of telemetry. */
export function parseLine(line: string): TelemetryLine | undefined {
  const signal = TELEMETRY_RECORDS.typeOf(line);
  const space = line.indexOf(" ");
  if (!signal || space < 0) return undefined;
  const tables = line.slice(space + 1).split(BETWEEN_TABLES);
  const [resources = "", rows = ""] = tables;
  return { signal, rid: line.slice(1, space), resources: rowsIn(resources), rows: rowsIn(rows) };
}

const rowsIn = (text: string): string[] => (text === "" ? [] : text.split(BETWEEN_ROWS));
