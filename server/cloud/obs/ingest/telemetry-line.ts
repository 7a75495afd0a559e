import type { Signal } from "./telemetry";

/** The first character of a line, for each signal; the id of the store and the rows follow. */
const MARKS = { metric: "M", log: "L", trace: "T" } as const satisfies Record<Signal, string>;
const SIGNAL_OF = new Map<string, Signal>(Object.entries(MARKS).map(([signal, mark]) => [mark, signal as Signal]));
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
  `${MARKS[signal]}${rid} ${resources.join(BETWEEN_ROWS)}${BETWEEN_TABLES}${rows.join(BETWEEN_ROWS)}`;

/** undefined for what is no line of telemetry. A line of an earlier version is one row, without resources. */
export function parseLine(line: string): TelemetryLine | undefined {
  const signal = SIGNAL_OF.get(line.charAt(0));
  const space = line.indexOf(" ");
  if (!signal || space < 0) return undefined;
  const tables = line.slice(space + 1).split(BETWEEN_TABLES);
  const [rows = "", resources = ""] = tables.reverse();
  return { signal, rid: line.slice(1, space), resources: rowsIn(resources), rows: rowsIn(rows) };
}

const rowsIn = (text: string): string[] => (text === "" ? [] : text.split(BETWEEN_ROWS));
