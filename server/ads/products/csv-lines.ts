import { CsvError, parse } from "csv-parse";
import { type CsvHeader, type CsvRow, type Delimiter, headerRow, readHeader } from "./csv-header";
import { ROW_LIMITS } from "./feed-limits";
import { BrokenFeed, type FeedLine } from "./feed-line";
import { withNewlines } from "./text-lines";
import { tsvRows } from "./tsv-rows";

/**
 * Rows below a header of attribute names in any order; quoted values may span lines. The delimiter is the one of `,`,
 * `;`, tab and `|` with which the first line is a header, else `usual`.
 */
export async function* csvLines(texts: AsyncIterable<string>, usual: Delimiter): AsyncGenerator<FeedLine> {
  const header = await readHeader(withNewlines(texts), usual);
  let columns: string[] | undefined;
  for await (const { values, line, problem } of header.delimiter === "\t" ? tsvRows(header) : csvRows(header)) {
    if (problem) yield { line, problem };
    else if (columns) yield fieldsOf(columns, values, line);
    else columns = headerRow(values, line);
  }
  if (!columns) headerRow([], header.line);
}

/**
 * Yields the rows in order, and throws the parser's error only after the last complete row. Reading the parser's stream
 * directly would lose those rows.
 */
async function* csvRows({ texts, delimiter, line: firstLine }: CsvHeader): AsyncGenerator<CsvRow> {
  let rows: CsvRow[] = [];
  let endLine = firstLine - 1;
  const parser = parse({
    delimiter,
    record_delimiter: "\n",
    skip_empty_lines: true,
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: ROW_LIMITS.bytesMax,
    on_record: (values: string[], { lines }) => {
      endLine = firstLine - 1 + lines;
      rows.push({ values, line: endLine - newlinesIn(values) });
      return null;
    },
  });
  parser.on("error", () => undefined).resume();
  const take = () => {
    const taken = rows;
    rows = [];
    return taken;
  };
  const refuse = () => {
    const cause = parser.errored;
    if (cause) throw cause instanceof CsvError ? brokenBy(cause, endLine) : cause;
  };
  for await (const text of texts) {
    await new Promise((resolve) => parser.write(text, resolve));
    yield* take();
    refuse();
  }
  await new Promise((resolve) => parser.end(resolve));
  yield* take();
  refuse();
}

const newlinesIn = (record: string[]): number =>
  record.reduce((sum, value) => sum + (value.includes("\n") ? value.split("\n").length - 1 : 0), 0);

function fieldsOf(columns: string[], values: string[], line: number): FeedLine {
  if (values.length !== columns.length) {
    const message = `expected ${columns.length} values to match the header, found ${values.length}`;
    return { line, problem: { code: "column_count", message } };
  }
  const fields: Record<string, unknown> = {};
  // If column names repeat, the first column wins. An empty value counts as missing.
  for (const [i, column] of columns.entries()) {
    if (values[i] !== "" && !Object.hasOwn(fields, column)) fields[column] = values[i];
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
