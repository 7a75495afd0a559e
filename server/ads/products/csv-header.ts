import { ROW_LIMITS } from "./feed-limits";
import { BrokenFeed, type LineProblem } from "./feed-line";

export type Delimiter = "," | "\t" | ";" | "|";

export interface CsvHeader {
  delimiter: Delimiter;
  /** The text from the header on. */
  texts: AsyncGenerator<string>;
  /** The line of the header. */
  line: number;
}

/** A row and the line where it begins. */
export interface CsvRow {
  values: string[];
  line: number;
  /** Why the row cannot be read. */
  problem?: LineProblem;
}

const REQUIRED_COLUMNS = ["id", "title", "link"];
const DELIMITERS: readonly Delimiter[] = [",", ";", "\t", "|"];
/** Excel's way to state the delimiter. */
const STATED = /^"?sep=([,;\t|])"?$/i;
/** Templates of marketplaces explain the columns in lines above the header. */
const COMMENT = /^["']?#/;
const { columnsMax, headerLengthMax } = ROW_LIMITS;

/** Finds the header: the first line that is not blank, a comment or Excel's `sep=`. */
export async function readHeader(texts: AsyncIterable<string>, usual: Delimiter): Promise<CsvHeader> {
  const iterator = texts[Symbol.asyncIterator]();
  let text = "";
  let line = 1;
  let stated: Delimiter | undefined;
  for (;;) {
    const end = text.indexOf("\n");
    if (end === -1 && text.length <= headerLengthMax) {
      const next = await iterator.next();
      if (!next.done) {
        text += next.value;
        continue;
      }
    }
    const first = (end === -1 ? text : text.slice(0, end)).replace(/^\uFEFF/, "").trim();
    const isHeader = first !== "" && !COMMENT.test(first) && !STATED.test(first);
    if (isHeader || end === -1) {
      return { delimiter: stated ?? delimiterOf(first, usual), texts: withFirst(text, iterator), line };
    }
    stated = (STATED.exec(first)?.[1] as Delimiter | undefined) ?? stated;
    text = text.slice(end + 1);
    line++;
  }
}

/** Attribute names of a header. Throws BrokenFeed (`broken_csv`) if it is too large or lacks a required one. */
export function headerRow(record: readonly string[], line: number): string[] {
  if (record.length > columnsMax || record.reduce((sum, { length }) => sum + length, 0) > headerLengthMax) {
    const sentence = `The header may have at most ${columnsMax} columns and ${headerLengthMax} characters.`;
    throw new BrokenFeed("broken_csv", sentence, line);
  }
  const columns = record.map(columnOf);
  const missing = REQUIRED_COLUMNS.filter((column) => !columns.includes(column));
  if (missing.length === 0) return columns;
  const sentence = `The header does not have the required columns: ${missing.join(", ")}.`;
  throw new BrokenFeed("broken_csv", `${sentence}${hintFor(columns)}`, line);
}

/** Normalizes spellings such as `g:Image Link` and `product_detail(section:name:value)` to plain attribute names. */
const columnOf = (heading: string): string =>
  heading
    .replace(/^\uFEFF/, "")
    .trim()
    .toLowerCase()
    .replace(/^g:/, "")
    .replace(/\(.*$/, "")
    .trim()
    .replaceAll(" ", "_");

function delimiterOf(header: string, usual: Delimiter): Delimiter {
  const candidates = [usual, ...DELIMITERS.filter((delimiter) => delimiter !== usual)];
  const columnsBy = (delimiter: Delimiter) =>
    header.split(delimiter).map((heading) => columnOf(heading.trim().replace(/^"(.*)"$/, "$1")));
  const complete = candidates.find((delimiter) => {
    const columns = columnsBy(delimiter);
    return REQUIRED_COLUMNS.every((column) => columns.includes(column));
  });
  // Without the required columns only the message matters: it lists those that the likeliest delimiter leaves missing.
  const byWidth = candidates.toSorted((a, b) => columnsBy(b).length - columnsBy(a).length);
  return complete ?? byWidth[0] ?? usual;
}

/** Names the file of a well-known shop software that has products but no links to their pages. */
function hintFor(columns: readonly string[]): string {
  const has = (...names: string[]) => names.every((name) => columns.includes(name));
  const isShopify = has("handle", "variant_price");
  const isWooCommerce = has("sku", "name", "regular_price");
  if (!isShopify && !isWooCommerce) return "";
  const shop = isShopify ? "Shopify" : "WooCommerce";
  return ` This is ${shop}'s own product export, which has no links to the products; use the shop's feed for Google Merchant Center.`;
}

async function* withFirst(first: string, rest: AsyncIterator<string>): AsyncGenerator<string> {
  try {
    if (first !== "") yield first;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}
