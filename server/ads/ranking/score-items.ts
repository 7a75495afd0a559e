import type { Accumulators } from "./accumulators";
import { type InvertedIndex, impactOf, maskOf } from "./inverted-index";
import { type Lookup, type LookupGroup, lookUpTerms } from "./look-up-terms";
import type { QueryTerm } from "./read-query";

/** After this many postings a further, more frequent word only rescores what rarer words have found. */
const POSTINGS_BUDGET = 60_000;

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

type Admits = ((doc: number) => boolean) | undefined;

/**
 * Adds the scores of a request's terms to the accumulators, rare words first. Answers the weight that a document would
 * have covered if it had every term in its title: the measure of `coverage`.
 */
export function scoreItems(index: InvertedIndex, sums: Accumulators, request: ScoreRequest): number {
  const { groups, coverable } = lookUpTerms(index, request.terms, request.weight);
  groups.sort((a, b) => a.length - b.length);
  let budget = POSTINGS_BUDGET;
  let best = 0;
  let reachable = groups.reduce((sum, { coverWeight }) => sum + coverWeight, 0);
  for (const group of groups) {
    const isWorthIt = reachable >= best * (request.shareOfBestNeeded ?? 0);
    const discovers = !request.rescoreOnly && isWorthIt && (budget === POSTINGS_BUDGET || group.length <= budget);
    best = Math.max(best, addGroup(sums, group, discovers ? request.admits : undefined));
    budget -= group.length;
    reachable -= group.coverWeight;
  }
  return coverable;
}

/** Answers the most that any of its documents covers so far. */
function addGroup(sums: Accumulators, { lookups }: LookupGroup, admits: Admits): number {
  const [only] = lookups;
  if (only && lookups.length === 1) return addPostings(sums, only, admits);
  sums.beginGroup();
  return lookups.reduce((best, lookup) => Math.max(best, addBest(sums, lookup, admits)), 0);
}

function addPostings(sums: Accumulators, lookup: Lookup, admits: Admits): number {
  const { scores, covered, seen } = sums;
  const { scoreWeight, coverWeight, factors, marks, telling } = lookup;
  const { pairs, length } = lookup.list;
  let best = 0;
  for (let i = 0; i < length; i++) {
    const doc = pairs[2 * i] as number;
    if (seen[doc] === 0) {
      if (!admits?.(doc)) continue;
      sums.touch(doc);
    }
    const value = pairs[2 * i + 1] as number;
    const mask = maskOf(value);
    seen[doc] = (seen[doc] as number) | (marks[mask] as number);
    scores[doc] = (scores[doc] as number) + scoreWeight * impactOf(value) * (factors[mask] as number);
    const cover = (covered[doc] as number) + coverWeight * (telling[mask] as number);
    covered[doc] = cover;
    if (cover > best) best = cover;
  }
  return best;
}

/** `addPostings` for one word of a group: adds only what exceeds the words of the group before it. */
function addBest(sums: Accumulators, lookup: Lookup, admits: Admits): number {
  const { scores, covered, seen, groupScores, groupCovered, groupOf, group } = sums;
  const { scoreWeight, coverWeight, factors, marks, telling } = lookup;
  const { pairs, length } = lookup.list;
  let best = 0;
  for (let i = 0; i < length; i++) {
    const doc = pairs[2 * i] as number;
    if (seen[doc] === 0) {
      if (!admits?.(doc)) continue;
      sums.touch(doc);
    }
    const isFirst = groupOf[doc] !== group;
    const scoreBefore = isFirst ? 0 : (groupScores[doc] as number);
    const coverBefore = isFirst ? 0 : (groupCovered[doc] as number);
    const value = pairs[2 * i + 1] as number;
    const mask = maskOf(value);
    seen[doc] = (seen[doc] as number) | (marks[mask] as number);
    const score = Math.max(scoreBefore, scoreWeight * impactOf(value) * (factors[mask] as number));
    const cover = Math.max(coverBefore, coverWeight * (telling[mask] as number));
    groupOf[doc] = group;
    groupScores[doc] = score;
    groupCovered[doc] = cover;
    scores[doc] = (scores[doc] as number) + score - scoreBefore;
    covered[doc] = (covered[doc] as number) + cover - coverBefore;
    if ((covered[doc] as number) > best) best = covered[doc] as number;
  }
  return best;
}
