import { REPORT_GROUPS, type Report, ReportFigures } from "./report";

const FIGURES = Object.keys(ReportFigures.shape) as (keyof ReportFigures)[];
/** Text that a spreadsheet would interpret as a formula. */
const FORMULA = /^[=+\-@\t\r]/;
const NEEDS_QUOTES = /[",\r\n]/;

/**
 * The rows of a report as CSV (RFC 4180: CRLF, quotes doubled): a header, then the requested groups in the order of
 * REPORT_GROUPS and all figures. Null is an empty field. Money stays in micros of `currency`, the last column.
 */
export function reportCsv(report: Report): string {
  const groups = REPORT_GROUPS.filter((group) => report.group_by.includes(group));
  const lines = report.rows.map((row) => [
    ...groups.map((group) => textField(row[group] ?? "")),
    ...FIGURES.map((figure) => String(row[figure] ?? "")),
    report.currency,
  ]);
  return [[...groups, ...FIGURES, "currency"], ...lines].map((fields) => `${fields.join(",")}\r\n`).join("");
}

/** Prevents a spreadsheet from interpreting external text as a formula. */
function textField(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
