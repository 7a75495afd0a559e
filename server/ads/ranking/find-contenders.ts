import { QUALITY_FLOOR, rankValueOf, relevanceOf } from "../auction/expected-value";
import type { RequestAffinity } from "../auction/term-affinity";
import type { KeywordMatches } from "../matching/match-keywords";
import type { Snapshot } from "../matching/serving-state";
import { medianPrice, priceFit, pricePreferenceOf } from "../query/price-preference";
import type { Need } from "../query/read-needs";
import type { Neighbours } from "../serving/neighbours";
import type { OfferRequest } from "../serving/offer-request";
import { priceAt } from "../serving/price-at";
import { productKey } from "../serving/product-key";
import type { MatchType, ServingCampaign, ServingItem } from "../serving/serving";
import type { Eligibility } from "../targeting/eligibility";
import { filterItem } from "../targeting/filter-campaign";
import { type Nearness, withNeighbours } from "./add-neighbours";
import type { OutcomeReason, Reading } from "./decision";
import { SHARE_OF_BEST_NEEDED } from "./fit-features";
import { learnedTerms } from "./learned-terms";
import { type Match, matchNeed } from "./match-need";
import { nthHighest } from "./nth-highest";
import { type Contender, Draws, Shortlist, wantedBy } from "./pick-candidates";
import { affinityOf, type Ranking } from "./ranking";
import { refineScore } from "./refine-score";
import { scoreItems } from "./score-items";
import type { Tracer } from "./tracer";
import { wantedKind } from "./wanted-kind";
import { type Population, weighTerms } from "./weigh-terms";

/** The size of the sample from which the usual price of the matches is estimated. */
const PRICES_MAX = 500;
/** A tolerance for rounding; borderline items are compared exactly. */
const ALMOST = 0.999;
/** What a page or a signal must have in common with the best item. */
const CONTEXT_COVERAGE_NEEDED = 0.3;

/** The state with which one text of the request is evaluated. */
interface Scene {
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
  /** Tells items that may be offered from those without the wanted noun; undefined if no item that may serve has it. */
  isOfKind: ((doc: number) => boolean) | undefined;
  /** The effect of an item's price on its score; undefined if the request says nothing about prices. */
  fitOf: ((doc: number) => number) | undefined;
  /** How often items are clicked for the words of the query; undefined if nothing is known. */
  affinity: RequestAffinity | undefined;
  /** The best score of an item that covers enough; relevance is relative to it. */
  bestScore: number;
  seed: string;
  /** The order of each advertiser among equal offers, computed on first use. */
  draws: Draws;
  tracer: Tracer | undefined;
}

/** How much a keyword adds to a score, of which 1 is the best possible. */
const KEYWORD_LIFT: Readonly<Record<MatchType, number>> = { exact: 0.5, phrase: 0.4, broad: 0.2, negative: 0 };

/** What all texts of a request share. */
export type Outset = Pick<Scene, "snapshot" | "request" | "eligibility" | "tracer" | "seed">;

export interface Lead {
  /** The text that decides what matches. */
  need: Need;
  /** All texts, which change ranks. */
  needs: readonly Need[];
  threshold: number;
  /** Items that are near the text. */
  neighbours: Neighbours | undefined;
}

export interface FoundContenders extends Ranking {
  /** Whether prices were compared, which may depend on the time. */
  comparesPrices: boolean;
  /** Only if traced. */
  reading: Reading | undefined;
}

/** Finds the items that may be offered for one text of a request, with their scores and values. */
export function findContenders(outset: Outset, lead: Lead): FoundContenders {
  const { snapshot, eligibility, request, tracer, seed } = outset;
  const { need } = lead;
  const { sums } = snapshot;
  const population: Population = {
    items: eligibility.items(),
    admits: eligibility.admits,
    countsOf: (listId, count) => eligibility.countsOf(listId, count),
  };
  const finds = tracer ? eligibility.exists : eligibility.admits;
  // A traced decision reports the outcome of every item, so it examines all of them.
  const shareOfBestNeeded = tracer ? 0 : SHARE_OF_BEST_NEEDED * ALMOST;
  const counts = tracer ? eligibility.admits : EVERY;
  const matched = matchNeed(snapshot, need, { locale: request.locale, population, shareOfBestNeeded, finds, counts });
  const { match, nearness } = withNeighbours(matched, lead.neighbours, { snapshot, finds, counts: eligibility.admits });
  if (nearness && lead.neighbours) tracer?.noteNeighbours(lead.neighbours);
  const keywords = need.source === "query" ? snapshot.keywords.match(need.words) : NO_KEYWORDS;
  for (const slot of keywords.positive.keys()) {
    for (const doc of snapshot.creativesAt(slot)) if (finds(doc)) sums.touch(doc);
  }
  for (const other of lead.needs) {
    if (other === need) continue;
    const terms = weighTerms(other.terms, snapshot.index, population);
    scoreItems(sums, { terms, weight: other.weight, rescoreOnly: true, admits: finds });
  }
  const { coverable } = match;
  const best = coverable > 0 ? Math.min(1, sums.bestCovered(counts) / coverable) : 0;
  const needed = isFit(match, best, lead.threshold) ? best * SHARE_OF_BEST_NEEDED : Number.POSITIVE_INFINITY;
  const terms = need.source === "query" ? learnedTerms(match.wanted) : [];
  // Fields are copied one by one: a spread is slower than most of the code below.
  const scene: Scene = {
    snapshot,
    request,
    eligibility,
    tracer,
    seed,
    draws: new Draws(seed),
    keywords,
    match,
    nearness,
    best,
    needed,
    found: 0,
    isOfKind: undefined,
    bestScore: 0,
    fitOf: undefined,
    affinity: snapshot.termAffinity.forRequest(request.channelId, terms),
  };
  scene.found = sums.gather(coverageFloorOf(scene));
  scene.isOfKind = offeredKindIn(scene);
  scene.fitOf = priceFitIn(scene);
  scene.bestScore = bestScoreOf(scene);
  const shortlist = new Shortlist(wantedBy(request.limit));
  evaluateAll(scene, shortlist);
  const contenders = refined(scene, shortlist.contenders());
  const { bestScore, affinity } = scene;
  const comparesPrices = scene.fitOf !== undefined;
  return { contenders, bestScore, terms, affinity, comparesPrices, reading: tracer && readingOf(scene, lead) };
}

/** Whether what was found fits the text; a page or a signal only has to have enough in common with it. */
const isFit = ({ fit }: Match, bestCovered: number, threshold: number): boolean =>
  fit ? fit.probability >= threshold : bestCovered >= CONTEXT_COVERAGE_NEEDED;

const readingOf = ({ match, nearness, best, needed }: Scene, { need, threshold }: Lead): Reading => ({
  source: need.source,
  terms: match.terms.map((term) => ({
    word: term.written,
    written: need.written[term.at] ?? term.written,
    found: term.found,
    isWanted: match.wanted.includes(term),
  })),
  fit: match.fit,
  nearness,
  threshold,
  bestCoverage: best,
  neededCoverage: Number.isFinite(needed) ? needed : undefined,
  coverageThreshold: match.fit ? undefined : CONTEXT_COVERAGE_NEEDED,
});

const EVERY = () => true;
const NO_KEYWORDS: KeywordMatches = { positive: new Map(), negative: new Set() };

/** The highest score among found items whose campaigns may serve and that cover enough or are selected by a keyword. */
function bestScoreOf(scene: Scene): number {
  const { sums } = scene.snapshot;
  const isPlain = mayBeHopeless(scene) && !scene.fitOf;
  let best = 0;
  for (let i = 0; i < scene.found; i++) {
    const doc = sums.touched[i] as number;
    if (isPlain && (sums.scores[doc] as number) <= best) continue;
    if (!scene.eligibility.admits(doc)) continue;
    const { score, coverage, isOwed } = measure(scene, doc, scene.snapshot.slotOf(doc));
    if (score > best && (coverage >= scene.needed || isOwed)) best = score;
  }
  return best;
}

/** The test of the wanted kind, if an item that may be offered passes it. */
function offeredKindIn(scene: Scene): Scene["isOfKind"] {
  // The words of a page or a signal are in no order that would tell a noun.
  const isOfKind = scene.match.fit && wantedKind(scene);
  if (!isOfKind) return undefined;
  const { touched, covered } = scene.snapshot.sums;
  const floor = scene.needed * scene.match.coverable * ALMOST;
  for (let i = 0; i < scene.found; i++) {
    const doc = touched[i] as number;
    if ((covered[doc] as number) >= floor && isOfKind(doc) && mayServe(scene, doc)) return isOfKind;
  }
  return undefined;
}

function mayServe({ snapshot, eligibility, keywords }: Scene, doc: number): boolean {
  const item = snapshot.itemAt(doc);
  if (!item || !eligibility.admits(doc) || keywords.negative.has(snapshot.slotOf(doc))) return false;
  return filterItem(eligibility.scene, item) === undefined;
}

/** Whether an item lacks the noun that others have, and no keyword selects its campaign. */
const lacksKind = ({ isOfKind, keywords }: Scene, doc: number, slot: number): boolean =>
  isOfKind !== undefined && !keywords.positive.has(slot) && !isOfKind(doc);

/** Compares prices with what the user would pay, and with the usual price of items that cover enough. */
function priceFitIn(scene: Scene): Scene["fitOf"] {
  const { snapshot, request } = scene;
  const preference = pricePreferenceOf(request.query, request.signals);
  if (!preference) return undefined;
  const priceOf = (doc: number) => {
    const item = snapshot.itemAt(doc);
    return item && priceAt(item, scene.eligibility.scene.nowMs);
  };
  const prices: number[] = [];
  for (let i = 0; i < scene.found && prices.length < PRICES_MAX; i++) {
    const doc = snapshot.sums.touched[i] as number;
    const price = priceOf(doc);
    if (price && scene.eligibility.admits(doc)) prices.push(price.amount);
  }
  const usual = medianPrice(prices);
  return (doc) => priceFit(priceOf(doc), preference, usual);
}

/** Evaluates the items of highest value first, so that one comparison excludes most of the others. */
function evaluateAll(scene: Scene, shortlist: Shortlist): void {
  const { snapshot, found } = scene;
  const { touched, rankValues } = snapshot.sums;
  const isPlain = mayBeHopeless(scene) && !scene.fitOf;
  const high = isPlain ? highValueIn(scene, shortlist.size) : Number.NEGATIVE_INFINITY;
  for (let i = 0; i < found; i++) {
    if (!isPlain || (rankValues[i] as number) >= high) evaluate(scene, touched[i] as number, shortlist);
  }
  if (!isPlain) return;
  shortlist.trim();
  for (let i = 0; i < found; i++) {
    const value = rankValues[i] as number;
    if (value >= high) continue;
    const doc = touched[i] as number;
    const campaign = snapshot.campaignAt(snapshot.slotOf(doc));
    if (campaign && shortlist.wants(value, campaign.advertiserId)) evaluate(scene, doc, shortlist);
  }
}

/** Computes the sort keys of all found items, and returns the lowest one of the best `size`. */
function highValueIn(scene: Scene, size: number): number {
  const { snapshot, match, best, bestScore, found } = scene;
  const { touched, scores, covered, rankValues } = snapshot.sums;
  const floor = best * QUALITY_FLOOR;
  for (let i = 0; i < found; i++) {
    const doc = touched[i] as number;
    const slot = snapshot.slotOf(doc);
    if (lacksKind(scene, doc, slot)) {
      rankValues[i] = Number.NEGATIVE_INFINITY;
      continue;
    }
    const bid = snapshot.campaignAt(slot)?.bidNumber ?? 0;
    const value = relevanceOf(scores[doc] as number, bestScore) * snapshot.worthAt(doc) * bid;
    const coverage = match.coverable > 0 ? Math.min(1, (covered[doc] as number) / match.coverable) : 0;
    rankValues[i] = rankValueOf(value, coverage >= floor);
  }
  return nthHighest(rankValues, found, size);
}

/** Adds one found item to the shortlist, or records why not. */
function evaluate(scene: Scene, doc: number, shortlist: Shortlist): void {
  const { snapshot, eligibility, tracer } = scene;
  const slot = snapshot.slotOf(doc);
  const campaign = snapshot.campaignAt(slot);
  const item = snapshot.itemAt(doc);
  if (!campaign || !item) return;
  const { score, coverage, isOwed } = measure(scene, doc, slot);
  const value = expectedValue(scene, { doc, score, campaign });
  const isAboveFloor = isOwed || coverage >= scene.best * QUALITY_FLOOR;
  const rankValue = rankValueOf(value, isAboveFloor);
  if (mayBeHopeless(scene) && !shortlist.wants(rankValue, campaign.advertiserId)) return;
  const reason =
    eligibility.reasonAgainst(slot) ??
    (scene.keywords.negative.has(slot) ? "negative_keyword" : undefined) ??
    ((coverage < scene.needed && !isOwed) || lacksKind(scene, doc, slot) ? reasonOfGap(scene) : undefined) ??
    filterItem(eligibility.scene, item);
  const parts = tracer && !reason ? partsOf(scene, { doc, item, campaign, score, isAboveFloor }) : undefined;
  tracer?.note({ campaign, item, score, coverage, reason, parts });
  if (reason !== undefined || !shortlist.wants(rankValue, campaign.advertiserId)) return;
  shortlist.add(contenderOf(scene, { doc, item, campaign, score, rankValue }));
}

/** Why an item covers less than needed: the whole request failed, or the item is much worse than the best one. */
const reasonOfGap = ({ needed }: Scene): OutcomeReason =>
  Number.isFinite(needed) ? "too_little_in_common" : "unlikely_fit";

/** The expected value of a thousand impressions, in micros, whatever the words of the query. */
const expectedValue = ({ snapshot, bestScore }: Scene, { doc, score, campaign }: Scored): number =>
  relevanceOf(score, bestScore) * snapshot.worthAt(doc) * campaign.bidNumber;

interface Scored {
  doc: number;
  campaign: ServingCampaign;
  score: number;
}

function partsOf(
  scene: Scene,
  { item, isAboveFloor, ...scored }: Scored & Pick<Found, "item"> & { isAboveFloor: boolean },
) {
  const { snapshot, bestScore } = scene;
  const relevance = relevanceOf(scored.score, bestScore);
  const { bidMicros } = scored.campaign;
  const termAffinity = affinityOf(scene, scored.campaign, item.id);
  const value = expectedValue(scene, scored) * termAffinity;
  return { ...snapshot.clickRateOf(item), relevance, bidMicros, termAffinity, value, isAboveFloor };
}

/** Whether only score and coverage decide about an item: no keyword selects it, and the decision is not traced. */
const mayBeHopeless = ({ tracer, keywords }: Scene): boolean => !tracer && keywords.positive.size === 0;

/** Most items of a frequent word do not reach this value, so one comparison skips them. */
const coverageFloorOf = (scene: Scene): number =>
  mayBeHopeless(scene) ? scene.needed * scene.match.coverable * ALMOST : Number.NEGATIVE_INFINITY;

/** Score, coverage from 0 to 1, and whether a keyword selects the campaign's creatives. */
function measure(scene: Scene, doc: number, slot: number): { score: number; coverage: number; isOwed: boolean } {
  const { sums } = scene.snapshot;
  const { coverable, terms } = scene.match;
  const coverage = coverable > 0 ? Math.min(1, (sums.covered[doc] as number) / coverable) : 0;
  const keyword = scene.keywords.positive.get(slot);
  const isOwed = keyword !== undefined && scene.snapshot.itemAt(doc)?.kind === "creative";
  const share = keyword ? Math.min(1, keyword.words / Math.max(1, terms.length)) : 0;
  const lift = isOwed ? KEYWORD_LIFT[keyword.match] * share * Math.max(coverable, 1) : 0;
  return { score: ((sums.scores[doc] as number) + lift) * (scene.fitOf?.(doc) ?? 1), coverage, isOwed };
}

/**
 * Ranks the few best items again by the order of their titles' words and by what was clicked for the words of the query;
 * none of them crosses the quality floor.
 */
function refined(scene: Scene, contenders: readonly Contender[]): readonly Contender[] {
  const { snapshot, match } = scene;
  scene.bestScore = 0;
  for (const contender of contenders) {
    contender.score = refineScore(contender, snapshot, match);
    scene.bestScore = Math.max(scene.bestScore, contender.score);
  }
  for (const contender of contenders) {
    const { doc, score } = contender;
    const campaign = snapshot.campaignAt(snapshot.slotOf(doc));
    if (!campaign) continue;
    const value = expectedValue(scene, { doc, score, campaign }) * affinityOf(scene, campaign, contender.id);
    contender.rankValue = rankValueOf(value, contender.rankValue > 0);
  }
  return contenders;
}

interface Found {
  doc: number;
  item: ServingItem;
  campaign: ServingCampaign;
  score: number;
  rankValue: number;
}

const contenderOf = (scene: Scene, { doc, item, campaign, score, rankValue }: Found): Contender => ({
  doc,
  id: item.id,
  advertiserId: campaign.advertiserId,
  productKey: productKey(item),
  score,
  rankValue,
  draw: scene.draws.of(campaign.advertiserId),
});
