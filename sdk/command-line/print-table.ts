import { WrittenNumber } from "../exact-json";
import type { Io, Output } from "./io";
import { cellText, fitText, widthOf } from "./terminal-text";

export type Item = Record<string, unknown>;

const GAP = 2;
const CELL_MAX = 48;
const CELL_MIN = 16;

/** The output for tables; `width` is infinite without a terminal. */
export interface TableOutput {
  stdout: Output;
  width: number;
  bold: (text: string) => string;
}

/** Styles are used only on terminals, and not with NO_COLOR (no-color.org). */
export function tableOutput({ stdout, env }: Io): TableOutput {
  const isColoured = stdout.isTTY === true && !env.NO_COLOR && env.TERM !== "dumb";
  const width = stdout.isTTY ? (stdout.columns ?? 80) : Number.POSITIVE_INFINITY;
  return { stdout, width, bold: (text) => (isColoured ? `\u001b[1m${text}\u001b[22m` : text) };
}

/** Prints rows under their column names; columns that do not fit are omitted and counted. */
export function printTable(
  { stdout, width, bold }: TableOutput,
  items: readonly Item[],
  names: readonly string[],
): void {
  // On a terminal, empty columns are omitted.
  const isFilled = (name: string): boolean => items.some((item) => (item[name] ?? null) !== null);
  const columns = Number.isFinite(width) ? names.filter(isFilled) : names;
  const rows = items.map((item) => columns.map((name) => cellText(item[name])));
  const wanted = columns.map((name, at) => {
    const widest = Math.max(widthOf(name), ...rows.map((row) => widthOf(row[at] ?? "")));
    return Number.isFinite(width) ? Math.min(CELL_MAX, widest) : widest;
  });
  const widths = fittingWidths(wanted, width);
  const line = (cells: readonly string[]): string =>
    widths
      .map((room, at) => fitText(cells[at] ?? "", room))
      .join(" ".repeat(GAP))
      .trimEnd();
  stdout.write(`${bold(line(columns.map((name) => name.toUpperCase())))}\n`);
  for (const row of rows) stdout.write(`${line(row)}\n`);
  const left = columns.length - widths.length;
  if (left > 0) stdout.write(`(${left} more ${left === 1 ? "column" : "columns"}: --json shows everything)\n`);
}

/** The widths of the columns that fit, from the left; the last one may be narrowed. */
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

/** Fields with a secret that svc shows only once, which must not be cut. */
export const SHOWN_ONCE: ReadonlySet<string> = new Set(["key", "secret"]);

/** Prints one record as names and values, those of objects in it as `name.part`; lists of objects become tables below. */
export function printRecord(paper: TableOutput, item: Item): void {
  const entries = Object.entries(item).flatMap(partsOf);
  const tables = entries.filter((entry): entry is [string, Item[]] => isTable(entry[1]));
  const lines = entries.filter(([, value]) => !isTable(value)).map(([name, value]) => [name, listed(value)] as const);
  const room = Math.max(0, ...lines.map(([name]) => name.length));
  for (const [name, value] of lines) {
    const text = cellText(value);
    const shown = SHOWN_ONCE.has(name) ? text : fitText(text, Math.max(CELL_MIN, paper.width - room - GAP)).trimEnd();
    paper.stdout.write(`${paper.bold(name.padEnd(room))}${" ".repeat(GAP)}${shown}\n`);
  }
  for (const [name, rows] of tables) {
    paper.stdout.write(`\n${paper.bold(`${name}:`)}\n`);
    printTable(paper, rows, [...new Set(rows.flatMap(Object.keys))]);
  }
}

/** The values of an object under names of their own; an empty one stays as it is. */
function partsOf([name, value]: [string, unknown]): [string, unknown][] {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  const parts = isObject ? Object.entries(value) : [];
  return parts.length === 0 ? [[name, value]] : parts.map(([part, of]) => [`${name}.${cellText(part)}`, of]);
}

const isTable = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((one) => typeof one === "object" && one !== null && !(one instanceof WrittenNumber));

const listed = (value: unknown): unknown =>
  Array.isArray(value) && !isTable(value) ? (value.length > 0 ? value.join(", ") : "none") : value;
