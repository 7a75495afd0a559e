import type { Snapshot } from "../matching/snapshot";
import type { Neighbours } from "../serving/neighbours";
import type { Fit } from "./fit-model";
import type { Match } from "./match-need";

/** What an item with a cosine of 1 scores without a common word; an item with every wanted word scores at most 1. */
const SCORE_WEIGHT = 0.4;
/** An item at the minimum cosine covers this share of what was wanted, one with a cosine of 1 all of it. */
const COVER_LEAST = 0.5;
/**
 * What near items can add to the log-odds that something fits. Of requests for goods without a word that any item has,
 * 98.6 % then reach the threshold of `balanced` and none that of `strict`. If an item were near each of 3,060 questions
 * that have nothing to do with a shop, the worst case, 3.6 % of them would reach `balanced` instead of 1.1 %.
 */
const PART_MAX = 6;
/** The strength from which they add all of it. */
const STRENGTH_FULL = 0.25;

interface NeighbourOptions {
  snapshot: Snapshot;
  /** Which items may be found. */
  finds: (doc: number) => boolean;
  /** Which of them may serve. */
  counts: (doc: number) => boolean;
}

/** What the vectors of items say about a request. */
export interface Nearness {
  /** The highest cosine of an item that may serve. */
  cosine: number;
  /** What it adds to the log-odds of the probability. */
  part: number;
}

interface Fused {
  match: Match;
  /** Undefined if no vectors were used. */
  nearness: Nearness | undefined;
}

/**
 * Adds the nearest items to what the words of a query found, and raises the probability that something fits. A query
 * without words that may name goods finds none.
 */
export function withNeighbours(match: Match, neighbours: Neighbours | undefined, options: NeighbourOptions): Fused {
  const { coverable, fit } = match;
  if (!neighbours || !fit || coverable <= 0) return { match, nearness: undefined };
  const cosine = addNeighbours(neighbours, coverable, options);
  const nearness = nearnessOf(cosine, neighbours, fit);
  return { match: { ...match, fit: raised(fit, nearness.part) }, nearness };
}

/**
 * A linear fusion (Bruch, Gai, Ingber 2023: it keeps the differences between scores, which ranks lose, and needs one
 * weight). An item that words found too gains with its cosine, from nothing at the minimum; an item without a common
 * word scores at most four tenths of what all words would, so it follows items that have them. Returns the highest
 * cosine of an item that may serve, 0 if there is none.
 */
function addNeighbours(neighbours: Neighbours, coverable: number, options: NeighbourOptions): number {
  const { snapshot, finds, counts } = options;
  const { sums } = snapshot;
  let best = 0;
  for (const [i, id] of neighbours.ids.entries()) {
    const doc = snapshot.docOf(id);
    if (doc === undefined || !finds(doc)) continue;
    const cosine = neighbours.cosines[i] as number;
    const strength = strengthOf(cosine, neighbours);
    sums.touch(doc);
    const score = (sums.scores[doc] as number) + SCORE_WEIGHT * coverable * strength;
    sums.scores[doc] = Math.max(score, SCORE_WEIGHT * coverable * cosine);
    const cover = coverable * (COVER_LEAST + (1 - COVER_LEAST) * strength);
    sums.covered[doc] = Math.max(sums.covered[doc] as number, cover);
    if (cosine > best && counts(doc)) best = cosine;
  }
  return best;
}

/**
 * What a near item adds to the log-odds that something fits: only as much as the best item's words lack. A request
 * whose words say that nothing is wanted (a question, much beside the wanted thing) stays improbable, because those
 * features keep their parts.
 */
function nearnessOf(cosine: number, neighbours: Neighbours, { parts }: Fit): Nearness {
  const covered = parts.find(({ feature }) => feature === "coverage")?.value ?? 0;
  const strength = cosine < neighbours.cosineMin ? 0 : strengthOf(cosine, neighbours);
  return { cosine, part: PART_MAX * Math.min(1, strength / STRENGTH_FULL) * (1 - covered) };
}

/** The fit with something added to its log-odds. */
function raised({ probability, parts }: Fit, part: number): Fit {
  return { probability: 1 / (1 + ((1 - probability) / probability) * Math.exp(-part)), parts };
}

/** How far a cosine is above the minimum, 0 to 1. */
const strengthOf = (cosine: number, { cosineMin }: Neighbours): number =>
  cosineMin < 1 ? Math.max(0, Math.min(1, (cosine - cosineMin) / (1 - cosineMin))) : 1;
