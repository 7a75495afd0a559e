import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { readProduct } from "../../server/ads/products/feed-product";
import type { ItemDetail } from "../../server/ads/serving/serving";
import { csvRows } from "./csv-rows";

/** A product of the catalogue file, as the feed reader sees it; texts that the file lacks are empty. */
export interface CatalogItem {
  id: string;
  title: string;
  description: string;
  link: string;
  brand: string;
  category: string;
  details: readonly ItemDetail[];
}

/** Ratings by product, by query: 0 is irrelevant, higher is better. */
export type Judgments = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** Requests of one file for which a shop has nothing to offer. */
export interface UnrelatedQueries {
  name: string;
  queries: readonly string[];
}

export interface JudgedFolder {
  items: readonly CatalogItem[];
  judgments: Judgments;
  unrelated: readonly UnrelatedQueries[];
}

/** The folder that the benches of relevance read: the last argument of the command, else SVC_RELEVANCE_DATA. */
export const relevanceDir = (): string | undefined => {
  const [, dir] = process.argv.slice(2).filter((word) => word !== "bench");
  return dir ?? process.env.SVC_RELEVANCE_DATA;
};

/**
 * Reads `catalog.ndjson.gz` (Google Merchant attribute names, with or without the prefix `g:`; only id and title are
 * required), every `judgments*.csv` (query, product, rating) and every `out-of-scope*.csv` (query first). Throws if the
 * catalogue or the judgments are missing, or a line of the catalogue has no id or title.
 */
export function readFolder(dir: string): JudgedFolder {
  const files = readdirSync(dir).sort();
  const catalog = gunzipSync(readFileSync(path.join(dir, "catalog.ndjson.gz"))).toString("utf8");
  const items = catalog.split("\n").flatMap((line, i) => (line.trim() === "" ? [] : [itemOf(line, i + 1)]));
  const judgments = new Map<string, Map<string, number>>();
  const csvs = (start: string) => files.filter((name) => name.startsWith(start) && name.endsWith(".csv"));
  const rowsOf = (name: string) => csvRows(readFileSync(path.join(dir, name), "utf8"));
  if (csvs("judgments").length === 0)
    throw new Error(`${dir}: expected a file judgments*.csv (query,product_id,rating)`);
  for (const name of csvs("judgments")) addJudgments(judgments, rowsOf(name));
  const unrelated = csvs("out-of-scope").map((name) => ({ name, queries: firstColumn(rowsOf(name)) }));
  return { items, judgments, unrelated };
}

const TITLE_LENGTH_MAX = 500;
const DESCRIPTION_LENGTH_MAX = 20_000;
const FIELDS = ["brand", "product_type", "google_product_category", "product_detail"];

function itemOf(line: string, number: number): CatalogItem {
  const raw = JSON.parse(line) as Record<string, unknown>;
  const fields = Object.fromEntries(Object.entries(raw).map(([name, value]) => [name.replace(/^g:/, ""), value]));
  const id = textOf(fields.id ?? fields.product_id);
  const read = readProduct({
    ...Object.fromEntries(FIELDS.map((name) => [name, fields[name]])),
    id,
    title: textOf(fields.title ?? fields.name).slice(0, TITLE_LENGTH_MAX),
    description: textOf(fields.description).slice(0, DESCRIPTION_LENGTH_MAX),
    // Landing pages identify products, so a missing one must differ between products.
    link: fields.link ?? `https://shop.example/p/${encodeURIComponent(id)}`,
  });
  if ("code" in read) throw new Error(`catalog.ndjson.gz, line ${number}: ${read.message}`);
  const { title, description, link, brand, category, details } = read;
  return { id, title, description, link, brand: brand ?? "", category: category ?? "", details };
}

const textOf = (value: unknown): string =>
  typeof value === "string" || typeof value === "number"
    ? String(value)
        .replaceAll(/[\0\uFFFD]/g, " ")
        .trim()
    : "";

const QUERY_NAMES = ["query", "search_term", "q"];
const PRODUCT_NAMES = ["product_id", "product_uid", "product", "doc_id", "item_id", "id"];
const RATING_NAMES = ["rating", "relevance", "grade", "label"];

/** Columns are found by their names, else query, product, rating in this order; rows without a number are omitted. */
function addJudgments(judgments: Map<string, Map<string, number>>, rows: readonly string[][]): void {
  const header = (rows[0] ?? []).map((name) => name.toLowerCase());
  const column = (names: readonly string[], place: number) => {
    const named = names.map((name) => header.indexOf(name)).find((at) => at >= 0);
    return named ?? place;
  };
  const [queryAt, productAt, ratingAt] = [column(QUERY_NAMES, 0), column(PRODUCT_NAMES, 1), column(RATING_NAMES, 2)];
  for (const row of rows) {
    const [query = "", product = "", rating = ""] = [row[queryAt], row[productAt], row[ratingAt]];
    if (query === "" || product === "" || rating === "" || Number.isNaN(Number(rating))) continue;
    const ratings = judgments.get(query) ?? new Map<string, number>();
    judgments.set(query, ratings.set(product, Number(rating)));
  }
}

function firstColumn(rows: readonly string[][]): string[] {
  const [first] = rows;
  const at = Math.max(0, first?.findIndex((name) => QUERY_NAMES.includes(name.toLowerCase())) ?? 0);
  const hasHeader = QUERY_NAMES.includes((first?.[at] ?? "").toLowerCase());
  return rows.slice(hasHeader ? 1 : 0).flatMap((row) => (row[at] ? [row[at]] : []));
}
