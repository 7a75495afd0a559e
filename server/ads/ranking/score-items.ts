import type { Accumulators } from "../matching/accumulators";
import type { InvertedIndex, Postings } from "../matching/inverted-index";
import { bitOf, FIELDS, impactOf, MASKS, maskOf } from "../matching/weigh-words";
import type { WeighedTerm } from "./weigh-terms";

/** After this many postings, further (more frequent) words only rescore documents that rarer words have found. */
const POSTINGS_BUDGET = 60_000;
/** How sure a match of the joined form is: "airfryer" for "air fryer". */
const JOINED_SHARE = 0.7;

export interface ScoreRequest {
  terms: readonly WeighedTerm[];
  /** Multiplies every score. */
  weight: number;
  /** Scores only documents that were already found, without covering anything; for what accompanies a query. */
  rescoreOnly?: boolean | undefined;
  /**
   * Documents below a share of the best coverage are useless; documents that can no longer reach it are skipped (the idea
   * of MaxScore, Turtle and Flood 1995). Undefined finds all documents.
   */
  pruning?: Pruning | undefined;
  /** Whether a document may be found at all. Called once per posting, so it must be a table lookup. */
  admits: (doc: number) => boolean;
}

export interface Pruning {
  shareOfBestNeeded: number;
  /** Tells what the best document so far will cover at least. */
  titles: Pick<InvertedIndex["titles"], "has">;
}

/** A list to add, and what a document gets from it. */
interface Lookup {
  list: Postings;
  score: number;
  cover: number;
}

/** Lists of which the best match of a document counts. */
interface Group {
  lookups: readonly Lookup[];
  length: number;
  cover: number;
}

type Admits = ((doc: number) => boolean) | undefined;

/** How likely an item is about a word, by the fields that contain it. */
const COVERS = new Set(["title", "brand", "category", "keywords"]);
const COVER_FACTORS = Float32Array.from({ length: MASKS }, (_, mask) =>
  FIELDS.some((field) => COVERS.has(field) && mask & bitOf(field)) ? 1 : 0.5,
);

/**
 * Adds the scores of the terms to the accumulators, rare words first: the sum of idf, share and BM25F impact. A
 * document's coverage grows by the idf of each term that it has, by half of it outside of title, brand and category.
 */
export function scoreItems(sums: Accumulators, request: ScoreRequest): void {
  const groups = request.terms.flatMap((term, i) => groupsOf(term, request.terms[i - 1], request));
  groups.sort((a, b) => a.length - b.length);
  let budget = POSTINGS_BUDGET;
  let bestDoc = -1;
  for (const [i, group] of groups.entries()) {
    const isWorthIt = !request.pruning || mayStillFind(groups.slice(i), { sums, bestDoc, ...request.pruning });
    const discovers = !request.rescoreOnly && isWorthIt && (budget === POSTINGS_BUDGET || group.length <= budget);
    bestDoc = addGroup(sums, { group, bestDoc, admits: discovers ? request.admits : undefined });
    budget -= group.length;
  }
}

interface Progress extends Pruning {
  sums: Accumulators;
  /** The document with the highest coverage so far; -1 before the first one. */
  bestDoc: number;
}

/** Whether a document that has only words of the remaining groups may cover enough. */
function mayStillFind(groups: readonly Group[], { sums, bestDoc, shareOfBestNeeded, titles }: Progress): boolean {
  if (bestDoc < 0) return true;
  let best = sums.covered[bestDoc] as number;
  let reachable = 0;
  for (const { lookups, cover } of groups) {
    reachable += cover;
    let certain = 0;
    for (const lookup of lookups) {
      if (lookup.cover > certain && titles.has(bestDoc, lookup.list.id)) certain = lookup.cover;
    }
    best += certain;
  }
  return reachable >= best * shareOfBestNeeded;
}

function groupsOf(term: WeighedTerm, before: WeighedTerm | undefined, request: ScoreRequest): Group[] {
  const { idf, sources, joined } = term;
  const [score, cover] = [idf * request.weight, request.rescoreOnly ? 0 : idf];
  const groups: Group[] = [];
  if (sources.length > 0) {
    groups.push(
      groupOf(sources.map(({ list, share }) => ({ list, score: score * share, cover: cover * Math.max(share, 0.9) }))),
    );
  }
  if (joined && before) {
    const both = idf + before.idf;
    groups.push(
      groupOf([{ list: joined, score: both * JOINED_SHARE * request.weight, cover: request.rescoreOnly ? 0 : both }]),
    );
  }
  return groups;
}

const groupOf = (lookups: readonly Lookup[]): Group => ({
  lookups,
  length: lookups.reduce((sum, { list }) => sum + list.length, 0),
  cover: Math.max(...lookups.map(({ cover }) => cover)),
});

interface Adding {
  group: Group;
  bestDoc: number;
  admits: Admits;
}

/** Adds the lists of a group, and returns the document with the highest coverage so far. */
function addGroup(sums: Accumulators, { group: { lookups }, bestDoc, admits }: Adding): number {
  const [only] = lookups;
  if (only && lookups.length === 1) return addPostings(sums, only, { bestDoc, admits });
  sums.beginGroup();
  return lookups.reduce((best, lookup) => addBest(sums, lookup, { bestDoc: best, admits }), bestDoc);
}

type Adds = Omit<Adding, "group">;

function addPostings(sums: Accumulators, lookup: Lookup, { bestDoc, admits }: Adds): number {
  const { scores, covered, seen } = sums;
  const { pairs, length } = lookup.list;
  let best = bestDoc;
  let most = best < 0 ? 0 : (covered[best] as number);
  for (let i = 0; i < length; i++) {
    const doc = pairs[2 * i] as number;
    if (seen[doc] === 0) {
      if (!admits?.(doc)) continue;
      sums.touch(doc);
    }
    const value = pairs[2 * i + 1] as number;
    scores[doc] = (scores[doc] as number) + lookup.score * impactOf(value);
    const cover = (covered[doc] as number) + lookup.cover * (COVER_FACTORS[maskOf(value)] as number);
    covered[doc] = cover;
    if (cover > most) {
      most = cover;
      best = doc;
    }
  }
  return best;
}

/** Like `addPostings` for one word of a group, but adds only what exceeds the previous words of the group. */
function addBest(sums: Accumulators, lookup: Lookup, { bestDoc, admits }: Adds): number {
  const { scores, covered, seen, groupScores, groupCovered, groupOf: groups, group } = sums;
  const { pairs, length } = lookup.list;
  let best = bestDoc;
  let most = best < 0 ? 0 : (covered[best] as number);
  for (let i = 0; i < length; i++) {
    const doc = pairs[2 * i] as number;
    if (seen[doc] === 0) {
      if (!admits?.(doc)) continue;
      sums.touch(doc);
    }
    const isFirst = groups[doc] !== group;
    const scoreBefore = isFirst ? 0 : (groupScores[doc] as number);
    const coverBefore = isFirst ? 0 : (groupCovered[doc] as number);
    const value = pairs[2 * i + 1] as number;
    const score = Math.max(scoreBefore, lookup.score * impactOf(value));
    const cover = Math.max(coverBefore, lookup.cover * (COVER_FACTORS[maskOf(value)] as number));
    groups[doc] = group;
    groupScores[doc] = score;
    groupCovered[doc] = cover;
    scores[doc] = (scores[doc] as number) + score - scoreBefore;
    covered[doc] = (covered[doc] as number) + cover - coverBefore;
    if ((covered[doc] as number) > most) {
      most = covered[doc] as number;
      best = doc;
    }
  }
  return best;
}
