import { shareOf } from "../../kernel/share-of";
import { QUALITY_FLOOR, rankValueOf, relevanceOf } from "../auction/expected-value";
import { HAS_NOUN, OF_KIND } from "./accumulators";
import { type Coverage, coverageNeeded, SHARE_OF_BEST_NEEDED } from "./coverage-gate";
import type { Candidate, Decision, Reading } from "./decision";
import { Eligibility } from "./eligibility";
import { filterItem } from "./filter-campaign";
import { productKey } from "./item-words";
import type { KeywordMatches } from "./match-keywords";
import type { OfferRequest } from "./offer-request";
import { type Contender, type Picked, pickCandidates, Shortlist } from "./pick-candidates";
import { medianPrice, priceFit, pricePreferenceOf } from "./price-preference";
import { type Need, readNeeds } from "./read-needs";
import { scoreItems } from "./score-items";
import type { MatchType, ServingCampaign, ServingItem } from "./serving";
import type { Snapshot } from "./serving-state";
import { titleFactor } from "./title-factor";
import { Tracer } from "./tracer";

export interface DecideOptions {
  now: Date;
  /** Names the request: paced campaigns and equals among offers take turns by it. */
  seed: string;
  /** Also tells the fate of everything that was considered; the candidates are the same. */
  traced?: boolean | undefined;
}

/** The usual price of what matches is told well enough by this many. */
const PRICES_MAX = 500;
/** Leaves what rounding may have moved to the exact comparison. */
const ALMOST = 0.999;

/** What one text of the request is judged with. */
interface Scene {
  snapshot: Snapshot;
  request: OfferRequest;
  need: Need;
  eligibility: Eligibility;
  keywords: KeywordMatches;
  /** The weight that an item with every word in its title covers. */
  coverable: number;
  /** The highest coverage of an item whose campaign may serve, 0 to 1. */
  best: number;
  /** The least coverage of an item that may be offered; above 1 when no item covers enough. */
  needed: number;
  /** So many of the touched documents, the first ones, cover enough to be looked at. */
  found: number;
  /** What an item's price does to its score; undefined where the request says nothing about prices. */
  fitOf: ((doc: number) => number) | undefined;
  /** The best score of an item that covers enough: what relevance is measured against. */
  bestScore: number;
  seed: string;
  /** Where each advertiser stands among equals, once it was asked for. */
  draws: Map<string, number>;
  tracer: Tracer | undefined;
}

const KEYWORD_LIFT: Readonly<Record<MatchType, number>> = { exact: 0.5, phrase: 0.4, broad: 0.2, negative: 0 };

/**
 * Ranks what may be offered for a request by expected value (server/ads/auction): pure, synchronous, the same answer for
 * the same snapshot, request, `now` and `seed`.
 * The first of query, context and signals that has meaning decides what fits; the others beside it only move ranks, and
 * with none of the three nothing is offered. An unknown channel has no candidates.
 */
export function decideOffers(
  snapshot: Snapshot,
  request: OfferRequest,
  { now, seed, traced }: DecideOptions,
): Decision {
  const channel = snapshot.channel(request.channelId);
  if (!channel) return { channel, candidates: [] };
  const eligibility = new Eligibility(snapshot, { channel, request, nowMs: now.getTime(), seed });
  const needs = readNeeds(request, snapshot.index);
  const tracer = traced ? new Tracer(snapshot, eligibility) : undefined;
  const leaders = needs[0]?.source === "query" ? needs.slice(0, 1) : needs;
  let decided: Decided = { candidates: [], reading: undefined };
  for (const need of leaders) {
    tracer?.restart();
    decided = decideByNeed({ snapshot, request, need, eligibility, tracer, seed }, needs);
    if (decided.candidates.length > 0) break;
  }
  const { candidates, reading } = decided;
  return tracer ? { channel, candidates, fates: tracer.fates(candidates), reading } : { channel, candidates };
}

interface Decided {
  candidates: Candidate[];
  reading: Reading | undefined;
}

type Outset = Omit<Scene, "best" | "bestScore" | "coverable" | "draws" | "fitOf" | "found" | "keywords" | "needed">;

function decideByNeed(outset: Outset, needs: readonly Need[]): Decided {
  const { snapshot, need, eligibility, request } = outset;
  const { index, sums } = snapshot;
  sums.reset(index.capacity);
  const admits = outset.tracer ? eligibility.exists : eligibility.admits;
  const keywords = need.source === "query" ? snapshot.keywords.match(need.words) : NO_KEYWORDS;
  for (const slot of keywords.positive.keys()) {
    for (const doc of snapshot.creativesAt(slot)) if (admits(doc)) sums.touch(doc);
  }
  // A traced decision tells the fate of everything, so it looks at everything.
  const shareOfBestNeeded = outset.tracer ? 0 : SHARE_OF_BEST_NEEDED * ALMOST;
  const coverable = scoreItems(index, sums, { terms: need.terms, weight: 1, admits, shareOfBestNeeded });
  for (const { terms, weight } of needs.filter((other) => other !== need)) {
    scoreItems(index, sums, { terms, weight, rescoreOnly: true, admits });
  }
  const covered = bestCoverage(snapshot, eligibility, coverable);
  const best = Math.max(covered.ofKind, covered.named, covered.other);
  const needed = coverageNeeded(covered, need) ?? Number.POSITIVE_INFINITY;
  const { tracer, seed } = outset;
  // Field by field: a spread costs more here than most of what follows.
  const scene: Scene = {
    snapshot,
    request,
    need,
    eligibility,
    tracer,
    seed,
    draws: new Map(),
    keywords,
    coverable,
    best,
    needed,
    found: 0,
    bestScore: 0,
    fitOf: undefined,
  };
  scene.found = sums.gather(coverageFloorOf(scene));
  scene.fitOf = priceFitIn(scene);
  scene.bestScore = bestScoreOf(scene);
  const wanted = 2 * request.limit + 6;
  const shortlist = new Shortlist(wanted);
  for (let i = 0; i < scene.found; i++) judge(scene, sums.touched[i] as number, shortlist);
  const contenders = shortlist.contenders().map((contender) => refine(scene, contender));
  const candidates = pickCandidates(contenders, wanted).map((picked) => toCandidate(scene, picked));
  return { candidates, reading: outset.tracer && readingOf(need, best, needed) };
}

function readingOf({ source, intent, terms }: Need, bestCoverage: number, needed: number): Reading {
  const neededCoverage = Number.isFinite(needed) ? needed : undefined;
  return { source, intent, terms: terms.map(({ word, weight }) => ({ word, weight })), bestCoverage, neededCoverage };
}

const NO_KEYWORDS: KeywordMatches = { positive: new Map(), negative: new Set() };

/** The highest coverage, 0 to 1, among found items whose campaigns may serve. */
function bestCoverage({ sums }: Snapshot, eligibility: Eligibility, coverable: number): Coverage {
  let [ofKind, named, other] = [0, 0, 0];
  for (let i = 0; i < sums.count; i++) {
    const doc = sums.touched[i] as number;
    const covered = sums.covered[doc] as number;
    const seen = sums.seen[doc] as number;
    const highest = seen & OF_KIND ? ofKind : seen & HAS_NOUN ? named : other;
    if (covered <= highest || !eligibility.admits(doc)) continue;
    if (seen & OF_KIND) ofKind = covered;
    else if (seen & HAS_NOUN) named = covered;
    else other = covered;
  }
  const share = (covered: number) => (coverable > 0 ? Math.min(1, covered / coverable) : 0);
  return { ofKind: share(ofKind), named: share(named), other: share(other) };
}

/** The highest score among found items that cover enough, or have their place by a keyword, and whose campaigns may serve. */
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

/** Compares prices with what the request would pay, and with the usual price of what covers enough. */
function priceFitIn(scene: Scene): Scene["fitOf"] {
  const { snapshot, request } = scene;
  const preference = pricePreferenceOf(request.query, request.signals);
  if (!preference) return undefined;
  const prices: number[] = [];
  for (let i = 0; i < scene.found && prices.length < PRICES_MAX; i++) {
    const doc = snapshot.sums.touched[i] as number;
    const price = snapshot.itemAt(doc)?.price;
    if (price && scene.eligibility.admits(doc)) prices.push(price.amount);
  }
  const usual = medianPrice(prices);
  return (doc) => priceFit(snapshot.itemAt(doc)?.price, preference, usual);
}

/** Puts one found item on the shortlist, or notes why not. */
function judge(scene: Scene, doc: number, shortlist: Shortlist): void {
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
    (coverage < scene.needed && !isOwed ? "too_little_in_common" : undefined) ??
    filterItem(eligibility.scene, item);
  const parts = tracer && !reason ? partsOf(scene, { doc, item, campaign, score, isAboveFloor }) : undefined;
  tracer?.note({ campaign, item, score, coverage, reason, parts });
  if (reason !== undefined || !shortlist.wants(rankValue, campaign.advertiserId)) return;
  shortlist.add(contenderOf(scene, { doc, item, campaign, score, rankValue }));
}

/** Expected value of a thousand impressions, in micros. */
const expectedValue = ({ snapshot, bestScore }: Scene, { doc, score, campaign }: Judged): number =>
  relevanceOf(score, bestScore) * snapshot.worthAt(doc) * campaign.bidNumber;

interface Judged {
  doc: number;
  campaign: ServingCampaign;
  score: number;
}

function partsOf(
  scene: Scene,
  { item, isAboveFloor, ...judged }: Judged & Pick<Found, "item"> & { isAboveFloor: boolean },
) {
  const { snapshot, bestScore } = scene;
  const relevance = relevanceOf(judged.score, bestScore);
  const { bidMicros } = judged.campaign;
  return { ...snapshot.clickRateOf(item), relevance, bidMicros, value: expectedValue(scene, judged), isAboveFloor };
}

/** Whether nothing but score and coverage decides on an item: no keyword owes it a place, no trace asks for its fate. */
const mayBeHopeless = ({ tracer, keywords }: Scene): boolean => !tracer && keywords.positive.size === 0;

/** What most of a frequent word's items do not reach: they are passed over with one comparison. */
const coverageFloorOf = (scene: Scene): number =>
  mayBeHopeless(scene) ? scene.needed * scene.coverable * ALMOST : Number.NEGATIVE_INFINITY;

/** Score, coverage from 0 to 1, and whether an exact or phrase keyword owes the campaign's creatives a place. */
function measure(scene: Scene, doc: number, slot: number): { score: number; coverage: number; isOwed: boolean } {
  const { sums } = scene.snapshot;
  const coverage = scene.coverable > 0 ? Math.min(1, (sums.covered[doc] as number) / scene.coverable) : 0;
  const keyword = scene.keywords.positive.get(slot);
  const isCreative = scene.snapshot.itemAt(doc)?.kind === "creative";
  const share = keyword ? Math.min(1, keyword.words / Math.max(1, scene.need.terms.length)) : 0;
  const lift = keyword && isCreative ? KEYWORD_LIFT[keyword.match] * share * Math.max(scene.coverable, 1) : 0;
  const score = ((sums.scores[doc] as number) + lift) * (scene.fitOf?.(doc) ?? 1);
  return { score, coverage, isOwed: isCreative && (keyword?.match === "exact" || keyword?.match === "phrase") };
}

/** A closer look at the few that matter: the words of the title, in their order. Never moves an item across the quality floor. */
function refine(scene: Scene, contender: Contender): Contender {
  const { snapshot } = scene;
  const title = snapshot.titleWordsAt(contender.doc);
  contender.score *= titleFactor(title, scene.need.terms);
  const campaign = snapshot.campaignAt(snapshot.slotOf(contender.doc));
  if (campaign)
    contender.rankValue = rankValueOf(
      expectedValue(scene, { doc: contender.doc, score: contender.score, campaign }),
      contender.rankValue > 0,
    );
  return contender;
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
  draw: drawOf(scene, campaign.advertiserId),
});

function drawOf({ seed, draws }: Scene, advertiserId: string): number {
  const known = seed === "" ? 0 : draws.get(advertiserId);
  if (known !== undefined) return known;
  const draw = shareOf(`${advertiserId}\n${seed}`);
  draws.set(advertiserId, draw);
  return draw;
}

function toCandidate({ snapshot, bestScore }: Scene, { contender, tier }: Picked): Candidate {
  const { doc, score } = contender;
  const slot = snapshot.slotOf(doc);
  const campaign = snapshot.campaignAt(slot);
  const item = snapshot.itemAt(doc);
  const advertiser = campaign && snapshot.advertiser(campaign.advertiserId);
  if (!campaign || !item || !advertiser) throw new Error("A contender lost its campaign within one decision.");
  const [firstCreative] = snapshot.creativesAt(slot);
  const creative = firstCreative === undefined ? undefined : snapshot.itemAt(firstCreative);
  const relevance = relevanceOf(score, bestScore);
  const valuePerMicro = relevance * snapshot.worthAt(doc);
  return {
    item,
    campaign,
    advertiser,
    score,
    relevance,
    valuePerMicro,
    value: valuePerMicro * campaign.bidNumber,
    rivalry: tier,
    cta: creative?.kind === "creative" ? creative.cta : undefined,
  };
}
