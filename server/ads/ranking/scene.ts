import { relevanceOf } from "../auction/expected-value";
import type { RequestAffinity } from "../auction/term-affinity";
import type { KeywordMatches } from "../matching/match-keywords";
import type { Snapshot } from "../matching/snapshot";
import type { OfferRequest } from "../serving/offer-request";
import type { MatchType } from "../serving/serving";
import type { Eligibility } from "../targeting/eligibility";
import type { Nearness } from "./add-neighbours";
import type { Draws } from "./draws";
import type { Match } from "./match-need";
import type { Tracer } from "./tracer";

/** The state with which one text of the request is evaluated. */
export interface Scene {
  snapshot: Snapshot;
  request: OfferRequest;
  eligibility: Eligibility;
  keywords: KeywordMatches;
  match: Match;
  /** What the vectors of items say about the request. */
  nearness: Nearness | undefined;
  /** The highest coverage, 0 to 1, of an item whose campaign may serve. */
  best: number;
  /** The minimum coverage of an item that may be offered; above 1 if nothing fits. */
  needed: number;
  /** The number of touched documents, from the first one, that cover enough to be examined. */
  found: number;
  /** Tells items with the wanted noun from those without it; undefined if no item that may serve has it. */
  isOfKind: ((doc: number) => boolean) | undefined;
  /** The effect of an item's price on its score; undefined if the request says nothing about prices. */
  fitOf: ((doc: number) => number) | undefined;
  /** How often items are clicked for the words of the query; undefined if nothing is known. */
  affinity: RequestAffinity | undefined;
  /** The best score of an item that covers enough; relevance is relative to it. */
  bestScore: number;
  /** The order of each advertiser among equal offers, computed on first use. */
  draws: Draws;
  tracer: Tracer | undefined;
}

/** How much a keyword adds to a score, of which 1 is the best possible. */
const KEYWORD_LIFT: Readonly<Record<MatchType, number>> = { exact: 0.5, phrase: 0.4, broad: 0.2, negative: 0 };

/** What all texts of a request share. */
export type Outset = Pick<Scene, "snapshot" | "request" | "eligibility" | "tracer"> & { seed: string };

/** Whether only score and coverage decide about an item: no keyword selects it, and the decision is not traced. */
export const canSkipUnlikelyItems = ({ tracer, keywords }: Scene): boolean => !tracer && keywords.positive.size === 0;

/** Whether an item's score is the sum of its words, so that its sort key is known before it is evaluated. */
export const isPlain = (scene: Scene): boolean => canSkipUnlikelyItems(scene) && !scene.fitOf;

/** Whether an item lacks the noun that others have, and no keyword selects its campaign. */
export const lacksKind = ({ isOfKind, keywords }: Scene, doc: number, slot: number): boolean =>
  isOfKind !== undefined && !keywords.positive.has(slot) && !isOfKind(doc);

/** Whether items without the noun are excluded, instead of ranked below all that have it. */
export const excludesOtherKinds = ({ eligibility }: Scene): boolean =>
  eligibility.scene.channel.strictness === "strict";

/** The share of what was looked for that an item covers, 0 to 1. */
export const coverageOf = ({ snapshot, match: { coverable } }: Scene, doc: number): number =>
  coverable > 0 ? Math.min(1, (snapshot.sums.covered[doc] as number) / coverable) : 0;

/** Score, coverage from 0 to 1, and whether a keyword selects the campaign's creatives. */
export function measure(scene: Scene, doc: number, slot: number): { score: number; coverage: number; isOwed: boolean } {
  const { sums } = scene.snapshot;
  const { coverable, terms } = scene.match;
  const coverage = coverageOf(scene, doc);
  const keyword = scene.keywords.positive.get(slot);
  const isOwed = keyword !== undefined && scene.snapshot.itemAt(doc)?.kind === "creative";
  const share = keyword ? Math.min(1, keyword.words / Math.max(1, terms.length)) : 0;
  const lift = isOwed ? KEYWORD_LIFT[keyword.match] * share * Math.max(coverable, 1) : 0;
  return { score: ((sums.scores[doc] as number) + lift) * (scene.fitOf?.(doc) ?? 1), coverage, isOwed };
}

/** The expected value of a thousand impressions, in micros, whatever the words of the query. */
export const expectedValue = ({ snapshot, bestScore }: Scene, doc: number, score: number): number =>
  relevanceOf(score, bestScore) * snapshot.worthAt(doc) * snapshot.bidAt(snapshot.slotOf(doc));
