import { csvOf } from "../../../format/csv";
import type { Figure } from "./report-figures";
import type { Group, Report, ReportRow } from "./report-view";

interface CsvTable {
  rows: readonly ReportRow[];
  groups: readonly Group[];
  columns: readonly Figure[];
  currency: string;
  nameOf: (row: ReportRow, group: Group) => string;
}

const MICROS_PER_UNIT = 1_000_000;
/** Groups whose values are ids, which stay beside their names. */
const NAMED: readonly Group[] = ["channel", "campaign", "creative"];

/**
 * The rows of a table as CSV (RFC 4180) with the names of the page: times in ISO 8601, ids beside names, shares of 1,
 * and money in units of the currency, which is the last column. Nothing measured is an empty field.
 */
export function reportCsv({ rows, groups, columns, currency, nameOf }: CsvTable): string {
  const heading = [
    ...groups.flatMap((group) => (NAMED.includes(group) ? [titleOf(group), `${titleOf(group)} ID`] : [titleOf(group)])),
    ...columns.map(({ label }) => label),
    "Currency",
  ];
  const lines = rows.map((row) => [
    ...groups.flatMap((group) => {
      const value = row[group] ?? "";
      if (group === "day" || group === "hour") return [value];
      return NAMED.includes(group) ? [nameOf(row, group), value] : [nameOf(row, group)];
    }),
    ...columns.map((figure) => figureText(figure, row)),
    currency,
  ]);
  return csvOf([heading, ...lines]);
}

export const titleOf = (group: Group): string =>
  group === "geo" ? "Country" : group.charAt(0).toUpperCase() + group.slice(1);

function figureText({ of, kind }: Figure, row: Report["totals"]): string {
  const value = of(row);
  if (value === null) return "";
  if (kind === "money") return String(Number((value / MICROS_PER_UNIT).toFixed(6)));
  return String(value);
}
