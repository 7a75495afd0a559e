import FlexSearch from "flexsearch";
import MiniSearch, { type SearchOptions } from "minisearch";
import { stem } from "../../server/guard/text/tokenizer";
import { DEPTH, type Rank } from "./engine";
import type { CatalogItem } from "./judged-folder";

/** The text of a product by field, the same for every peer. */
export interface PlainDoc {
  id: string;
  title: string;
  brand: string;
  type: string;
  description: string;
  attributes: string;
}

const FIELDS = ["title", "brand", "type", "description", "attributes"];
const TYPE_DETAILS = new Set(["type", "product type", "product_type", "category"]);

/** The products as the peers index them. */
export const plainDocs = (items: readonly CatalogItem[]): PlainDoc[] =>
  items.map(({ id, title, brand, category, description, details }) => {
    const valuesOf = (isType: boolean) =>
      details.filter(({ name }) => TYPE_DETAILS.has(name.toLowerCase()) === isType).map(({ value }) => String(value));
    const type = [category, ...valuesOf(true)].join(" ");
    return { id, title, brand, type, description, attributes: valuesOf(false).join(" ") };
  });

/** MiniSearch over the fields, with our stems or, as it comes, without. */
export function miniSearchOf(docs: readonly PlainDoc[], isStemmed: boolean): MiniSearch<PlainDoc> {
  const stems = { processTerm: (word: string) => stem(word.toLowerCase()) };
  const index = new MiniSearch<PlainDoc>({ fields: FIELDS, ...(isStemmed ? stems : {}) });
  index.addAll(docs);
  return index;
}

/** A ranker of MiniSearch with search options. */
export const miniSearchRank =
  (index: MiniSearch<PlainDoc>, options: SearchOptions): Rank =>
  (query) =>
    index
      .search(query, options)
      .slice(0, DEPTH)
      .map(({ id }) => String(id));

const BOOSTS = {
  2: { title: 2, brand: 1.5, type: 1.5, attributes: 0.5 },
  3: { title: 3, brand: 2, type: 2, attributes: 0.5 },
  5: { title: 5, brand: 2, type: 2, attributes: 0.3 },
  8: { title: 8, brand: 2, type: 2, attributes: 0.2 },
};
const WEIGHTS = { prefix: 0.3, fuzzy: 0.3 };
const fuzzy = (word: string) => (word.length > 3 ? 0.2 : false);
const prefix = (word: string) => word.length > 3;

/** What MiniSearch offers to tune on this data: field boosts, prefixes, fuzziness. */
export const MINI_SEARCH_TUNINGS: readonly { name: string; options: SearchOptions }[] = [
  { name: "boost 2", options: { boost: BOOSTS[2] } },
  { name: "boost 3", options: { boost: BOOSTS[3] } },
  { name: "boost 5", options: { boost: BOOSTS[5] } },
  { name: "boost 8", options: { boost: BOOSTS[8] } },
  { name: "prefix", options: { boost: BOOSTS[5], prefix, weights: WEIGHTS } },
  { name: "fuzzy", options: { boost: BOOSTS[5], fuzzy, weights: WEIGHTS } },
  { name: "fuzzy, boost 8", options: { boost: BOOSTS[8], fuzzy, weights: WEIGHTS } },
  { name: "fuzzy, prefix", options: { boost: BOOSTS[5], fuzzy, prefix, weights: WEIGHTS } },
];

/** FlexSearch's document index as it comes, results of the title first; `suggest` lets it answer when a word is missing. */
export function flexSearchRank(docs: readonly PlainDoc[]): Rank {
  const index = new FlexSearch.Document<PlainDoc & { [field: string]: string }>({
    document: { id: "id", index: FIELDS },
  });
  for (const doc of docs) index.add({ ...doc });
  return (query) => {
    const found = index.search(query, { limit: DEPTH, suggest: true });
    const ids = FIELDS.flatMap((field) => found.find((one) => one.field === field)?.result ?? []);
    return [...new Set(ids.map(String))].slice(0, DEPTH);
  };
}
