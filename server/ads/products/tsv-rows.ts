import type { CsvHeader, CsvRow } from "./csv-header";
import { ROW_LIMITS } from "./feed-limits";
import { lineTooLong } from "./feed-line";
import { linesOf, type TextLine } from "./text-lines";

/** A value with line ends has at most this many lines. */
const JOINED_LINES_MAX = 1000;

/**
 * The rows of a tab-separated feed. Most programs write values as they are, and some put values with tabs or line ends
 * between quotation marks with inner ones doubled. So a line with as many values as the header is a row, and a quotation
 * mark begins a quoted value only where that makes the row complete: one that is never closed is a character of its
 * value, and no line after it is lost.
 */
export async function* tsvRows({ texts, line: firstLine }: CsvHeader): AsyncGenerator<CsvRow> {
  const reader = new RowReader();
  for await (const { text, line } of linesOf(texts)) yield* reader.read({ text, line: firstLine - 1 + line });
  yield* reader.end();
}

class RowReader {
  #columns: number | undefined;
  /** The first lines of what may be a row with line ends. */
  #open: { text: string; line: number }[] = [];
  #openLength = 0;

  *read({ text, line }: TextLine): Generator<CsvRow> {
    if (text === undefined) {
      yield* this.end();
      yield { values: [], line, problem: lineTooLong };
    } else if (this.#columns === undefined) {
      const values = valuesOf(text).map(unquoted);
      this.#columns = values.length;
      yield { values, line };
    } else if (this.#open.length > 0) yield* this.#join(text, line);
    else if (text.trim() !== "") yield* this.#begin(text, line);
  }

  /** The lines of a row that was never completed, each as a row. */
  *end(): Generator<CsvRow> {
    for (const { text, line } of this.#open) {
      if (text.trim() !== "") yield { values: this.#complete(text) ?? valuesOf(text), line };
    }
    this.#open = [];
    this.#openLength = 0;
  }

  *#begin(text: string, line: number): Generator<CsvRow> {
    const values = this.#complete(text);
    if (values || !OPENS_QUOTE.test(text)) yield { values: values ?? valuesOf(text), line };
    else this.#keep(text, line);
  }

  *#join(text: string, line: number): Generator<CsvRow> {
    const [first] = this.#open;
    const joined = text.includes('"') ? [...this.#open.map((part) => part.text), text].join("\n") : undefined;
    const values = joined === undefined ? undefined : this.#complete(joined);
    if (values && first) {
      this.#open = [];
      this.#openLength = 0;
      yield { values, line: first.line };
      return;
    }
    const isRow = this.#complete(text) !== undefined;
    const isLong = this.#open.length >= JOINED_LINES_MAX || this.#openLength > ROW_LIMITS.bytesMax;
    if (!isRow && !isLong) {
      this.#keep(text, line);
      return;
    }
    yield* this.end();
    if (text.trim() !== "") yield* this.#begin(text, line);
  }

  #keep(text: string, line: number): void {
    this.#open.push({ text, line });
    this.#openLength += text.length;
  }

  /** The values of a whole row, or undefined if there are not as many as columns. */
  #complete(text: string): string[] | undefined {
    const plain = text.includes("\n") ? [] : valuesOf(text);
    if (plain.length === this.#columns) return plain.map(unquoted);
    const quoted = quotedValues(text);
    return quoted?.length === this.#columns ? quoted : undefined;
  }
}

const OPENS_QUOTE = /(?:^|\t)"/;
const valuesOf = (text: string): string[] => text.split("\t");

/** A value between quotation marks whose inner ones are doubled, without them; any other value as it is. */
function unquoted(value: string): string {
  const [, inner] = /^"([^"]*(?:""[^"]*)*)"$/.exec(value) ?? [];
  return inner === undefined ? value : inner.replaceAll('""', '"');
}

/** The values of a row in which quoted values may have tabs and line ends; undefined if another value has a line end. */
function quotedValues(text: string): string[] | undefined {
  const values: string[] = [];
  for (let from = 0; from <= text.length; ) {
    const end = endOfQuoted(text, from) ?? endOfPlain(text, from);
    const value = text.slice(from, end);
    const plain = unquoted(value);
    if (plain === value && value.includes("\n")) return undefined;
    values.push(plain);
    from = end + 1;
  }
  return values;
}

function endOfPlain(text: string, from: number): number {
  const tab = text.indexOf("\t", from);
  return tab === -1 ? text.length : tab;
}

/** The end of the quoted value that begins at `from`; undefined if none does. */
function endOfQuoted(text: string, from: number): number | undefined {
  if (text[from] !== '"') return undefined;
  for (let at = text.indexOf('"', from + 1); at !== -1; at = text.indexOf('"', at + 2)) {
    const next = text[at + 1];
    if (next === undefined || next === "\t") return at + 1;
    if (next !== '"') return undefined;
  }
  return undefined;
}
