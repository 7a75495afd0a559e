import type { SearchOptions } from "minisearch";
import { DEPTH, type Engine } from "./engine";
import type { CatalogItem } from "./judged-folder";
import { type Asked, marksOf, meanOf } from "./marks";
import { MINI_SEARCH_TUNINGS, miniSearchOf, miniSearchRank, plainDocs } from "./peers";
import { PlainBm25f } from "./plain-bm25f";

/** A tuning of MiniSearch. */
export interface Tuning {
  name: string;
  options: SearchOptions;
}

/** The tunings of MiniSearch with the best NDCG@8 on a folder's judged queries: of all, and of the fuzzy ones. */
export function bestTunings(items: readonly CatalogItem[], asked: readonly Asked[]): Tuning[] {
  const index = miniSearchOf(plainDocs(items), true);
  const scored = MINI_SEARCH_TUNINGS.map((tuning) => {
    const { ndcg } = marksOf(asked, miniSearchRank(index, tuning.options));
    return { tuning, score: meanOf(ndcg) };
  });
  scored.sort((a, b) => b.score - a.score);
  const best = scored[0]?.tuning;
  const fuzzy = scored.find(({ tuning }) => tuning.options.fuzzy)?.tuning;
  return [best, fuzzy].filter((tuning, i, all) => tuning !== undefined && all.indexOf(tuning) === i) as Tuning[];
}

/** Plain BM25F, and MiniSearch with each of the tunings, over the same items. */
export function peerEngines(items: readonly CatalogItem[], tunings: readonly Tuning[]): Engine[] {
  const docs = plainDocs(items);
  const plain = new PlainBm25f(docs);
  const index = miniSearchOf(docs, true);
  return [
    { name: "BM25F", rank: (query) => plain.search(query, DEPTH) },
    ...tunings.map(({ name, options }) => ({ name: `Mini ${name}`, rank: miniSearchRank(index, options) })),
  ];
}
