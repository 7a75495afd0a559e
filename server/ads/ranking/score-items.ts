import type { Accumulators } from "./accumulators";
import { FIELDS, type Field, type InvertedIndex, impactOf, maskOf, type Postings } from "./inverted-index";
import type { QueryTerm } from "./read-query";

/** After this many postings a further, more frequent word only rescores what rarer words have found. */
const POSTINGS_BUDGET = 60_000;

/** How sure a word in a field makes us that the item is about it. */
const FIELD_TELLS: Readonly<Record<Field, number>> = {
  title: 1,
  brand: 0.8,
  category: 1,
  description: 0.6,
  attributes: 0.5,
  keywords: 1,
};
const TELLING = Float32Array.from({ length: 1 << FIELDS.length }, (_, mask) =>
  Math.max(0, ...FIELDS.map((field, bit) => (mask & (1 << bit) ? FIELD_TELLS[field] : 0))),
);

/** A word to look up, with what it adds. */
interface Lookup {
  list: Postings;
  scoreWeight: number;
  coverWeight: number;
}

export interface ScoreRequest {
  terms: readonly QueryTerm[];
  /** Multiplies every score. */
  weight: number;
  /** Only documents that were found before are scored: context beside a query. */
  rescoreOnly?: boolean | undefined;
  /**
   * The share of the best found coverage without which a document is of no use: what could not reach it any more is not
   * looked at (the idea of MaxScore, Turtle and Flood 1995). 0 finds everything.
   */
  shareOfBestNeeded?: number | undefined;
  /** Whether a document may be found at all; asked once per posting, so it must be a table look-up. */
  admits: (doc: number) => boolean;
}

/**
 * Adds the scores of a request's terms to the accumulators, rare words first. Answers the weight that a document would
 * have covered if it had every term in its title: the measure of `coverage`.
 */
export function scoreItems(index: InvertedIndex, sums: Accumulators, request: ScoreRequest): number {
  const { lookups, coverable } = lookUp(index, request);
  lookups.sort((a, b) => a.list.length - b.list.length);
  let budget = POSTINGS_BUDGET;
  let best = 0;
  let reachable = lookups.reduce((sum, { coverWeight }) => sum + coverWeight, 0);
  for (const lookup of lookups) {
    const isWorthIt = reachable >= best * (request.shareOfBestNeeded ?? 0);
    const discovers = !request.rescoreOnly && isWorthIt && (budget === POSTINGS_BUDGET || lookup.list.length <= budget);
    best = Math.max(best, addPostings(sums, lookup, discovers ? request.admits : undefined));
    budget -= lookup.list.length;
    reachable -= lookup.coverWeight;
  }
  return coverable;
}

/** Answers the most that any of its documents covers so far. */
function addPostings(sums: Accumulators, lookup: Lookup, admits: ((doc: number) => boolean) | undefined): number {
  const { scores, covered, seen } = sums;
  const { scoreWeight, coverWeight } = lookup;
  const { pairs, length } = lookup.list;
  let best = 0;
  for (let i = 0; i < length; i++) {
    const doc = pairs[2 * i] as number;
    if (seen[doc] !== 1) {
      if (!admits?.(doc)) continue;
      sums.touch(doc);
    }
    const value = pairs[2 * i + 1] as number;
    scores[doc] = (scores[doc] as number) + scoreWeight * impactOf(value);
    const cover = (covered[doc] as number) + coverWeight * (TELLING[maskOf(value)] as number);
    covered[doc] = cover;
    if (cover > best) best = cover;
  }
  return best;
}

function lookUp(index: InvertedIndex, request: ScoreRequest): { lookups: Lookup[]; coverable: number } {
  const lookups: Lookup[] = [];
  let coverable = 0;
  let coverBefore = 0;
  for (const term of request.terms) {
    const list = index.postings(term.word);
    const idf = index.idf(list?.length ?? 0);
    const cover = idf * term.weight;
    if (list) lookups.push({ list, scoreWeight: idf * weightOf(request, term), coverWeight: cover });
    const compound = term.compound === undefined ? undefined : index.postings(term.compound);
    if (compound) {
      const compoundIdf = index.idf(compound.length);
      lookups.push({ list: compound, scoreWeight: compoundIdf * request.weight, coverWeight: coverBefore + cover });
    }
    coverable += cover;
    coverBefore = cover;
  }
  return { lookups, coverable };
}

/** A describing word ranks at two thirds, whatever little it says about the gate. */
const weightOf = ({ weight }: ScoreRequest, term: QueryTerm): number => weight * (term.weight < 0.4 ? 0.67 : 1);
