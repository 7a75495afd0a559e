import FlexSearch from "flexsearch";
import MiniSearch, { type SearchOptions } from "minisearch";
import { stemmer } from "stemmer";
import { type CatalogLine, DEPTH, type Rank } from "./judged-catalogue";

/** The text of a product by field, the same for every opponent. */
export interface PlainDoc {
  id: string;
  title: string;
  brand: string;
  description: string;
  attributes: string;
}

const FIELDS = ["title", "brand", "description", "attributes"];

/** The products as the opponents index them. */
export const plainDocs = (lines: readonly CatalogLine[]): PlainDoc[] =>
  lines.map(({ id, title, brand, description, product_detail: details }) => {
    const attributes = details.map(({ attribute_value: value }) => String(value)).join(" ");
    return { id, title, brand, description, attributes };
  });

/** MiniSearch over the four fields, with Porter stems or, as it comes, without. */
export function miniSearchOf(docs: readonly PlainDoc[], isStemmed: boolean): MiniSearch<PlainDoc> {
  const stems = { processTerm: (word: string) => stemmer(word.toLowerCase()) };
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

/** What MiniSearch offers to tune on this data: field boosts, prefixes, fuzziness. */
export const MINI_SEARCH_TUNINGS: readonly { name: string; options: SearchOptions }[] = [
  { name: "boost 2", options: { boost: { title: 2, brand: 1.5, attributes: 0.5 } } },
  { name: "boost 3", options: { boost: { title: 3, brand: 2, attributes: 0.5 } } },
  { name: "boost 5", options: { boost: { title: 5, brand: 2, attributes: 0.3 } } },
  { name: "boost 8", options: { boost: { title: 8, brand: 2, attributes: 0.2 } } },
  {
    name: "boost 5, prefix",
    options: {
      boost: { title: 5, brand: 2, attributes: 0.3 },
      prefix: (word: string) => word.length > 3,
      weights: { prefix: 0.3, fuzzy: 0.3 },
    },
  },
  {
    name: "boost 5, fuzzy",
    options: {
      boost: { title: 5, brand: 2, attributes: 0.3 },
      fuzzy: (word: string) => (word.length > 5 ? 0.2 : false),
      weights: { prefix: 0.3, fuzzy: 0.3 },
    },
  },
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
