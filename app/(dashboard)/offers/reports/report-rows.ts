import { daysBefore } from "../../../format/dates";
import type { Figure, Sums } from "./report-figures";
import { type Group, isTime, keyOf, type Report, type ReportChoice, type ReportRow } from "./report-view";

type NameOf = (row: ReportRow, group: Group) => string;

/** The rows in the chosen order; by default time in its own order, anything else by the plotted figure. */
export function sortRows(
  rows: readonly ReportRow[],
  { groups, sorting, figure, columns }: Pick<ReportChoice, "groups" | "sorting" | "figure" | "columns">,
  nameOf: NameOf,
): ReportRow[] {
  if (!sorting) return isTime(groups[0]) ? [...rows] : byFigure(rows, figure, true);
  const { key, isDescending } = sorting;
  const sorted = columns.find((column) => column.key === key);
  if (sorted) return byFigure(rows, sorted, isDescending);
  // Times are sorted as moments, in the order of the report.
  const named = isTime(groups[0]) ? [...rows] : rows.toSorted((a, b) => compareNames(a, b, { groups, nameOf }));
  return isDescending ? named.reverse() : named;
}

/** What was not measured comes last in both orders. */
function byFigure(rows: readonly ReportRow[], { of }: Figure, isDescending: boolean): ReportRow[] {
  const least = isDescending ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return rows.toSorted((a, b) => {
    const [first, second] = [of(a) ?? least, of(b) ?? least];
    if (first === second) return 0;
    return (first < second ? -1 : 1) * (isDescending ? -1 : 1);
  });
}

function compareNames(a: ReportRow, b: ReportRow, { groups, nameOf }: { groups: Group[]; nameOf: NameOf }): number {
  for (const group of groups) {
    const order = nameOf(a, group).localeCompare(nameOf(b, group), "en");
    if (order !== 0) return order;
  }
  return 0;
}

/**
 * What the figures of a row were in the period before, `days` earlier; undefined where rows of two periods cannot be
 * matched, which are those by hour.
 */
export function rowsBefore(
  { rows }: Report,
  groups: readonly Group[],
  days: number,
): ((row: ReportRow) => Sums | undefined) | undefined {
  if (groups.includes("hour")) return undefined;
  const later = (row: ReportRow): ReportRow => (row.day ? { ...row, day: daysBefore(row.day, -days) } : row);
  const known = new Map(rows.map((row) => [keyOf(later(row), groups), row]));
  return (row) => known.get(keyOf(row, groups));
}
