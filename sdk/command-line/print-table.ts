import type { Io, Output } from "./io";
import { cellOf, fitted, widthOf } from "./terminal-text";

export type Item = Record<string, unknown>;

const GAP = 2;
const CELL_MAX = 48;
const CELL_MIN = 16;

/** Where a table goes: `width` is infinite where nobody looks at it. */
export interface Paper {
  stdout: Output;
  width: number;
  bold: (text: string) => string;
}

/** Colour is for terminals, and not where NO_COLOR is set (no-color.org). */
export function paperOf({ stdout, env }: Io): Paper {
  const isColoured = stdout.isTTY === true && !env.NO_COLOR && env.TERM !== "dumb";
  const width = stdout.isTTY ? (stdout.columns ?? 80) : Number.POSITIVE_INFINITY;
  return { stdout, width, bold: (text) => (isColoured ? `\u001b[1m${text}\u001b[22m` : text) };
}

/** Prints rows under the names of their columns; what does not fit into the width is left out and counted. */
export function printTable({ stdout, width, bold }: Paper, items: readonly Item[], names: readonly string[]): void {
  // Where room is short, what nobody has is left out.
  const isFilled = (name: string): boolean => items.some((item) => (item[name] ?? null) !== null);
  const columns = Number.isFinite(width) ? names.filter(isFilled) : names;
  const rows = items.map((item) => columns.map((name) => cellOf(item[name])));
  const wanted = columns.map((name, at) => {
    const widest = Math.max(widthOf(name), ...rows.map((row) => widthOf(row[at] ?? "")));
    return Number.isFinite(width) ? Math.min(CELL_MAX, widest) : widest;
  });
  const widths = fittingWidths(wanted, width);
  const line = (cells: readonly string[]): string =>
    widths
      .map((room, at) => fitted(cells[at] ?? "", room))
      .join(" ".repeat(GAP))
      .trimEnd();
  stdout.write(`${bold(line(columns.map((name) => name.toUpperCase())))}\n`);
  for (const row of rows) stdout.write(`${line(row)}\n`);
  const left = columns.length - widths.length;
  if (left > 0) stdout.write(`(${left} more ${left === 1 ? "column" : "columns"}: --json shows everything)\n`);
}

/** The widths of as many columns from the left as fit, the last of them as narrow as it takes. */
function fittingWidths(wanted: readonly number[], width: number): number[] {
  const widths: number[] = [];
  let room = width;
  for (const want of wanted) {
    if (room < Math.min(want, CELL_MIN)) break;
    widths.push(Math.min(want, room));
    room -= Math.min(want, room) + GAP;
  }
  return widths;
}

/** Prints one thing as its names and values; lists of things become tables below. */
export function printRecord(paper: Paper, item: Item): void {
  const entries = Object.entries(item);
  const tables = entries.filter((entry): entry is [string, Item[]] => isTable(entry[1]));
  const lines = entries.filter(([, value]) => !isTable(value)).map(([name, value]) => [name, listed(value)] as const);
  const room = Math.max(0, ...lines.map(([name]) => name.length));
  for (const [name, value] of lines) {
    const text = cellOf(value);
    // A secret that is shown once must be whole.
    const shown = name === "key" ? text : fitted(text, Math.max(CELL_MIN, paper.width - room - GAP)).trimEnd();
    paper.stdout.write(`${paper.bold(name.padEnd(room))}${" ".repeat(GAP)}${shown}\n`);
  }
  for (const [name, rows] of tables) {
    paper.stdout.write(`\n${paper.bold(`${name}:`)}\n`);
    printTable(paper, rows, [...new Set(rows.flatMap(Object.keys))]);
  }
}

const isTable = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === "object" && one !== null);

const listed = (value: unknown): unknown =>
  Array.isArray(value) && !isTable(value) ? (value.length > 0 ? value.join(", ") : "none") : value;
