/** Text that a spreadsheet would interpret as a formula. */
const FORMULA = /^[=+\-@\t\r]/;
/** A number, which is no formula even with a sign. */
const DECIMAL = /^-?\d+(\.\d+)?$/;
const NEEDS_QUOTES = /[",\r\n]/;

/** Rows as CSV (RFC 4180: CRLF, quotes doubled); text of others is kept from being read as a formula. */
export const csvOf = (rows: readonly (readonly (string | number)[])[]): string =>
  rows.map((fields) => `${fields.map(fieldOf).join(",")}\r\n`).join("");

function fieldOf(value: string | number): string {
  if (typeof value === "number") return String(value);
  const safe = FORMULA.test(value) && !DECIMAL.test(value) ? `'${value}` : value;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
