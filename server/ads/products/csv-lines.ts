import { CsvError, parse } from "csv-parse";
import { ROW_LIMITS } from "./feed-limits";
import { BrokenFeed, type FeedLine } from "./feed-line";

const REQUIRED_COLUMNS = ["id", "title", "link"];

/** Rows below a header of attribute names in any order; quoted values may span lines. */
export async function* csvLines(bytes: AsyncIterable<Uint8Array>, delimiter: "," | "\t"): AsyncGenerator<FeedLine> {
  let columns: string[] | undefined;
  let endLine = 0;
  try {
    for await (const row of csvRows(withoutReturns(bytes), delimiter)) {
      endLine = row.endLine;
      const line = endLine - newlinesIn(row.values);
      if (columns) yield rowOf(columns, row.values, line);
      else columns = headerOf(row.values, line);
    }
  } catch (cause) {
    throw cause instanceof CsvError ? brokenBy(cause, endLine) : cause;
  }
}

/**
 * Yields the rows in order, and throws the parser's error only after the last complete row. Reading the parser's stream
 * directly would lose those rows.
 */
async function* csvRows(
  texts: AsyncIterable<string>,
  delimiter: string,
): AsyncGenerator<{ values: string[]; endLine: number }> {
  let rows: { values: string[]; endLine: number }[] = [];
  const parser = parse({
    delimiter,
    record_delimiter: "\n",
    skip_empty_lines: true,
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: ROW_LIMITS.bytesMax,
    on_record: (values, { lines }) => {
      rows.push({ values, endLine: lines });
      return null;
    },
  });
  parser.on("error", () => undefined).resume();
  const take = () => {
    const taken = rows;
    rows = [];
    return taken;
  };
  for await (const text of texts) {
    await new Promise((resolve) => parser.write(text, resolve));
    yield* take();
    if (parser.errored) throw parser.errored;
  }
  await new Promise((resolve) => parser.end(resolve));
  yield* take();
  if (parser.errored) throw parser.errored;
}

/** Converts line endings to LF, because the parser counts a CR LF inside a quoted value twice. */
async function* withoutReturns(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let held = "";
  for await (const chunk of bytes) {
    const text = held + decoder.decode(chunk, { stream: true });
    held = text.endsWith("\r") ? "\r" : "";
    const ready = text.slice(0, text.length - held.length).replace(/\r\n?/g, "\n");
    if (ready !== "") yield ready;
  }
  const rest = (held + decoder.decode()).replace(/\r\n?/g, "\n");
  if (rest !== "") yield rest;
}

const newlinesIn = (record: string[]): number =>
  record.reduce((sum, value) => sum + (value.includes("\n") ? value.split("\n").length - 1 : 0), 0);

/** Normalizes spellings such as `g:Image Link` and `product_detail(section:name:value)` to plain attribute names. */
const columnOf = (heading: string): string =>
  heading.trim().toLowerCase().replace(/^g:/, "").replace(/\(.*$/, "").trim().replaceAll(" ", "_");

function headerOf(record: string[], line: number): string[] {
  const { columnsMax, headerLengthMax } = ROW_LIMITS;
  if (record.length > columnsMax || record.reduce((sum, { length }) => sum + length, 0) > headerLengthMax) {
    const sentence = `The header may have at most ${columnsMax} columns and ${headerLengthMax} characters.`;
    throw new BrokenFeed("broken_csv", sentence, line);
  }
  const columns = record.map(columnOf);
  const missing = REQUIRED_COLUMNS.filter((column) => !columns.includes(column));
  if (missing.length > 0) {
    throw new BrokenFeed("broken_csv", `The header does not have the required columns: ${missing.join(", ")}.`, line);
  }
  return columns;
}

function rowOf(columns: string[], record: string[], line: number): FeedLine {
  if (record.length !== columns.length) {
    const message = `expected ${columns.length} values to match the header, found ${record.length}`;
    return { line, problem: { code: "column_count", message } };
  }
  const fields: Record<string, unknown> = {};
  // If column names repeat, the first column wins. An empty value counts as missing.
  for (const [i, column] of columns.entries()) {
    if (record[i] !== "" && !Object.hasOwn(fields, column)) fields[column] = record[i];
  }
  return { line, fields };
}

function brokenBy(cause: CsvError, endLine: number): BrokenFeed {
  const sentence =
    cause.code === "CSV_MAX_RECORD_SIZE"
      ? `The row after line ${endLine} is longer than 1 MiB; a quotation mark may be missing.`
      : `A quoted value after line ${endLine} is not closed.`;
  return new BrokenFeed("broken_csv", sentence, endLine + 1);
}
