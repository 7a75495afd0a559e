import { Accumulators } from "../../server/ads/ranking/accumulators";
import {
  FIELD_RULES,
  type FieldRules,
  type IndexedItem,
  InvertedIndex,
  weighWords,
} from "../../server/ads/ranking/inverted-index";
import { itemWords } from "../../server/ads/ranking/item-words";
import { type QueryTerm, readQuery } from "../../server/ads/ranking/read-query";
import { scoreItems } from "../../server/ads/ranking/score-items";
import { titleFactor } from "../../server/ads/ranking/title-factor";
import { rememberingStem, tokenize } from "../../server/ads/ranking/tokenizer";
import { type CatalogLine, DEPTH, type Rank } from "./judged-catalogue";
import { benchCampaign } from "./relevance-scene";

const REFINED = 64;

/** What is left out: of the items as they are indexed, of the query's terms, or of the closer look at titles. */
interface Without {
  name: string;
  item?: ((item: IndexedItem) => IndexedItem) | undefined;
  term?: ((term: QueryTerm) => QueryTerm) | undefined;
  titles?: false | undefined;
}

const WITHOUT: readonly Without[] = [
  { name: "all parts" },
  { name: "without the kind factor", term: (term) => ({ ...term, isHead: false }) },
  { name: "without kinds in the index", item: ({ words }) => ({ words: { ...words, kind: [] }, isKindKnown: false }) },
  { name: "without the brand field", item: ({ words, ...item }) => ({ ...item, words: { ...words, brand: [] } }) },
  { name: "without synonyms", term: (term) => ({ ...term, alternatives: [], spans: onlyItself(term) }) },
  { name: "without compounds and phrases", term: (term) => ({ ...term, spans: [] }) },
  { name: "without the weights of words", term: (term) => ({ ...term, weight: 1 }) },
  { name: "without the order of titles", titles: false },
];

/** Other choices of the numbers that fields are weighed by, one at a time. */
const OTHER_RULES: readonly [name: string, rules: FieldRules][] = (
  [
    ["title", { weight: 3 }],
    ["title", { weight: 8 }],
    ["title", { damping: 0.3 }],
    ["description", { weight: 0.5 }],
    ["description", { weight: 2 }],
    ["attributes", { weight: 0.25 }],
    ["attributes", { weight: 1 }],
    ["brand", { weight: 1 }],
    ["brand", { weight: 4 }],
    ["kind", { weight: 1 }],
    ["kind", { weight: 4 }],
  ] as const
).map(([field, change]) => [
  `${field} ${Object.entries(change).flat().join(" ")}`,
  { ...FIELD_RULES, [field]: { ...FIELD_RULES[field], ...change } },
]);

/** Rankers whose fields are weighed otherwise; each index is built when its ranker is asked for, and dropped with it. */
export function* reweighed(lines: readonly CatalogLine[]): Generator<{ name: string; rank: Rank }> {
  const items = indexedItems(lines);
  for (const [name, rules] of OTHER_RULES) yield { name, rank: rankBy(indexOf(items, rules), lines, { name }) };
}

/** Rankers over the same products by score alone, whole and each with one part left out: no gate, no auction. */
export function ablations(lines: readonly CatalogLine[]): { name: string; rank: Rank }[] {
  const items = indexedItems(lines);
  const whole = indexOf(items);
  return WITHOUT.map((without) => {
    const index = without.item ? indexOf(items.map(without.item)) : whole;
    return { name: without.name, rank: rankBy(index, lines, without) };
  });
}

const onlyItself = ({ spans }: QueryTerm) => spans?.filter(({ share }) => share === 1);

function indexedItems(lines: readonly CatalogLine[]): IndexedItem[] {
  const form = rememberingStem();
  return lines.map(({ id, title, description, link, brand, product_detail: details }) => {
    const base = { kind: "product", id, campaignId: benchCampaign.id, inStock: true } as const;
    const item = { ...base, title, content: description, landingUrl: link, brandName: brand };
    const named = details.map(({ attribute_name: name, attribute_value: value }) => ({ name, value }));
    return itemWords({ item, details: named, keywords: [] }, form);
  });
}

function indexOf(items: readonly IndexedItem[], rules = FIELD_RULES): InvertedIndex {
  const index = new InvertedIndex();
  for (const item of items) index.addWeighed(weighWords(item, rules));
  return index;
}

function rankBy(index: InvertedIndex, lines: readonly CatalogLine[], { term, titles }: Without): Rank {
  const sums = new Accumulators();
  const form = rememberingStem();
  const titleWords = (doc: number) => tokenize(lines[doc]?.title ?? "").map(({ word }) => form(word));
  return (query) => {
    const read = readQuery(query, "en").terms;
    const terms = term ? read.map(term) : read;
    sums.reset(index.capacity);
    scoreItems(index, sums, { terms, weight: 1, admits: () => true });
    const best = [...sums.touched.subarray(0, sums.count)]
      .map((doc) => ({ doc, score: sums.scores[doc] ?? 0 }))
      .sort((a, b) => b.score - a.score || a.doc - b.doc)
      .slice(0, REFINED);
    if (titles !== false) for (const one of best) one.score *= titleFactor(titleWords(one.doc), terms);
    best.sort((a, b) => b.score - a.score || a.doc - b.doc);
    return best.slice(0, DEPTH).map(({ doc }) => lines[doc]?.id ?? "");
  };
}
