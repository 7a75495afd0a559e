import { languageOf } from "../../guard/text/tokenizer";
import type { Snapshot } from "../matching/snapshot";
import type { Need } from "../query/read-needs";
import { coverableOf, featuresOf } from "./fit-features";
import { type Fit, fitOf } from "./fit-model";
import { type Chunk, readChunks } from "./read-chunks";
import { scoreItems } from "./score-items";
import { type Population, type WeighedTerm, weighTerms } from "./weigh-terms";

/** Words beside the wanted thing move ranks by half: the students of "laptop for students". */
const REST_WEIGHT = 0.5;

export interface MatchOptions {
  locale: string;
  population: Population;
  /** Documents below this share of the best coverage need not be found. */
  shareOfBestNeeded: number;
  /** Documents that keywords select: they are found whatever they cover, and get the score of all their words. */
  selected: readonly number[];
  /** Which documents may be found; more than the population if the decision is traced. */
  finds: (doc: number) => boolean;
  /** Which found documents are of the population; all of them unless the decision is traced. */
  counts: (doc: number) => boolean;
}

/** What one text of a request looks for; its scores and coverages are in the accumulators. */
export interface Match {
  /** All words that may name goods. */
  terms: readonly WeighedTerm[];
  /** The words that name the wanted thing. */
  wanted: readonly WeighedTerm[];
  /** What an item with every wanted word in its title covers, and the highest score it can have. */
  coverable: number;
  /** Only for a query: pages and signals are not written to find something. */
  fit: Fit | undefined;
}

/**
 * Finds the part of a text that names the wanted thing and scores all items for it. Of two candidates the one that more
 * likely has a fitting item is taken.
 */
export function matchNeed(snapshot: Snapshot, need: Need, options: MatchOptions): Match {
  const { index, sums } = snapshot;
  const { population, counts } = options;
  const terms = weighTerms(need.terms, index, population);
  const pruning = { shareOfBestNeeded: options.shareOfBestNeeded, titles: index.titles };
  const score = (chunk: Chunk) => {
    sums.reset(index.capacity);
    for (const doc of options.selected) sums.touch(doc);
    scoreItems(sums, { terms: chunk.terms, weight: 1, pruning, admits: options.finds });
  };
  const matchOf = (chunk: Chunk, fit: Fit | undefined): Match => {
    scoreItems(sums, { terms: chunk.rest, weight: REST_WEIGHT, rescoreOnly: true, admits: options.finds });
    return { terms, wanted: chunk.terms, coverable: coverableOf(chunk.terms), fit };
  };
  if (need.source !== "query") {
    const whole: Chunk = { terms, rest: [] };
    score(whole);
    return matchOf(whole, undefined);
  }
  const framed = { written: need.written, clauses: need.clauses, language: languageOf(options.locale) };
  const { chunks, emptyShare } = readChunks(terms, framed);
  let best: { chunk: Chunk; fit: Fit } | undefined;
  let scored: Chunk | undefined;
  // The likelier candidate comes last, so that its scores are usually the ones to keep.
  for (const chunk of chunks.toReversed()) {
    score(chunk);
    scored = chunk;
    const fit = fitOf(featuresOf(chunk, { ...framed, emptyShare, index, sums, population, counts }));
    if (!best || fit.probability >= best.fit.probability) best = { chunk, fit };
  }
  if (!best) return { terms, wanted: [], coverable: 0, fit: undefined };
  if (scored !== best.chunk) score(best.chunk);
  return matchOf(best.chunk, best.fit);
}
