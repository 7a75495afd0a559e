/** The rows of a CSV text (RFC 4180): quoted fields may contain commas, quotes and line breaks; empty lines are omitted. */
export function csvRows(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, plain = "", end] of text.replace(/^\uFEFF/, "").matchAll(CELL)) {
    row.push(quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"'));
    if (end === ",") continue;
    if (row.some((cell) => cell !== "")) rows.push(row);
    row = [];
  }
  return rows;
}

const CELL = /(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r?\n|\r|$)/g;
