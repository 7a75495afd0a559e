import { QUALITY_FLOOR, rankValueOf, relevanceOf } from "../auction/expected-value";
import type { ServingCampaign, ServingItem } from "../serving/serving";
import { filterItem } from "../targeting/filter-campaign";
import type { OutcomeReason, ValueParts } from "./decision";
import { nthHighest } from "./nth-highest";
import type { Contender, Shortlist } from "./pick-candidates";
import { affinityOf } from "./ranking";
import { refineScore } from "./refine-score";
import {
  canSkipUnlikelyItems,
  coverageOf,
  excludesOtherKinds,
  expectedValue,
  isPlain,
  lacksKind,
  measure,
  type Scene,
} from "./scene";

/** Evaluates the items of highest value first, so that one comparison excludes most of the others. */
export function evaluateAll(scene: Scene, shortlist: Shortlist): void {
  const { snapshot, found } = scene;
  const { touched, rankValues } = snapshot.sums;
  if (!isPlain(scene)) {
    for (let i = 0; i < found; i++) evaluate(scene, touched[i] as number, shortlist);
    return;
  }
  const high = highValueIn(scene, shortlist.size);
  for (let i = 0; i < found; i++) if ((rankValues[i] as number) >= high) addPlain(scene, i, shortlist);
  shortlist.trim();
  for (let i = 0; i < found; i++) if ((rankValues[i] as number) < high) addPlain(scene, i, shortlist);
}

/** Computes the sort keys of all found items, and returns the lowest one of the best `size`. */
function highValueIn(scene: Scene, size: number): number {
  const { snapshot, best, found } = scene;
  const { touched, scores, rankValues } = snapshot.sums;
  const floor = best * QUALITY_FLOOR;
  for (let i = 0; i < found; i++) {
    const doc = touched[i] as number;
    const lacks = lacksKind(scene, doc, snapshot.slotOf(doc));
    if (lacks && excludesOtherKinds(scene)) {
      rankValues[i] = Number.NEGATIVE_INFINITY;
      continue;
    }
    const value = expectedValue(scene, doc, scores[doc] as number);
    rankValues[i] = rankValueOf(value, !lacks && coverageOf(scene, doc) >= floor);
  }
  return nthHighest(rankValues, found, size);
}

/**
 * Adds one found item whose sort key is known to the shortlist, if it may be offered. It reads no object of the item or
 * its campaign, and its campaign may serve, because nothing else is found without a tracer.
 */
function addPlain(scene: Scene, i: number, shortlist: Shortlist): void {
  const { snapshot, eligibility, keywords } = scene;
  const { touched, rankValues, scores } = snapshot.sums;
  const doc = touched[i] as number;
  const slot = snapshot.slotOf(doc);
  const rankValue = rankValues[i] as number;
  if (!shortlist.wants(rankValue, snapshot.advertiserAt(slot))) return;
  if (keywords.negative.has(slot) || coverageOf(scene, doc) < scene.needed) return;
  if (excludesOtherKinds(scene) && lacksKind(scene, doc, slot)) return;
  if (eligibility.admitsItem(doc)) {
    shortlist.add(contenderOf(scene, { doc, slot, score: scores[doc] as number, rankValue }));
  }
}

/** Adds one found item to the shortlist, or records why not. */
function evaluate(scene: Scene, doc: number, shortlist: Shortlist): void {
  const { snapshot, eligibility, tracer } = scene;
  const slot = snapshot.slotOf(doc);
  const campaign = snapshot.campaignAt(slot);
  const item = snapshot.itemAt(doc);
  if (!campaign || !item) return;
  const { score, coverage, isOwed } = measure(scene, doc, slot);
  const value = expectedValue(scene, doc, score);
  const lacks = lacksKind(scene, doc, slot);
  const isAboveFloor = isOwed || (!lacks && coverage >= scene.best * QUALITY_FLOOR);
  const rankValue = rankValueOf(value, isAboveFloor);
  const advertiser = snapshot.advertiserAt(slot);
  if (canSkipUnlikelyItems(scene) && !shortlist.wants(rankValue, advertiser)) return;
  const reason =
    eligibility.reasonAgainst(slot) ??
    (scene.keywords.negative.has(slot) ? "negative_keyword" : undefined) ??
    ((coverage < scene.needed && !isOwed) || (lacks && excludesOtherKinds(scene)) ? reasonOfGap(scene) : undefined) ??
    filterItem(eligibility.scene, item);
  const parts = tracer && !reason ? partsOf(scene, { doc, item, campaign, score, isAboveFloor }) : undefined;
  tracer?.note({ campaign, item, score, coverage, reason, parts });
  if (reason !== undefined || !shortlist.wants(rankValue, advertiser)) return;
  shortlist.add(contenderOf(scene, { doc, slot, score, rankValue }));
}

/** Why an item covers less than needed: the whole request failed, or the item is much worse than the best one. */
const reasonOfGap = ({ needed }: Scene): OutcomeReason =>
  Number.isFinite(needed) ? "too_little_in_common" : "unlikely_fit";

interface Scored {
  doc: number;
  item: ServingItem;
  campaign: ServingCampaign;
  score: number;
  isAboveFloor: boolean;
}

function partsOf(scene: Scene, { doc, item, campaign, score, isAboveFloor }: Scored): ValueParts {
  const { snapshot, bestScore } = scene;
  const relevance = relevanceOf(score, bestScore);
  const termAffinity = affinityOf(scene, campaign, item.id);
  const value = expectedValue(scene, doc, score) * termAffinity;
  return {
    ...snapshot.clickRateOf(item),
    relevance,
    bidMicros: campaign.bidMicros,
    termAffinity,
    value,
    isAboveFloor,
  };
}

interface Place {
  doc: number;
  slot: number;
  score: number;
  rankValue: number;
}

const contenderOf = ({ snapshot, draws }: Scene, { doc, slot, score, rankValue }: Place): Contender => ({
  doc,
  advertiser: snapshot.advertiserAt(slot),
  product: snapshot.productAt(doc),
  score,
  rankValue,
  draw: draws.of(slot),
});

/**
 * Ranks the few best items again by the order of their titles' words and by what was clicked for the words of the query;
 * none of them crosses the quality floor.
 */
export function refined(scene: Scene, contenders: readonly Contender[]): readonly Contender[] {
  const { snapshot, match } = scene;
  scene.bestScore = 0;
  for (const contender of contenders) {
    contender.score = refineScore(contender, snapshot, match);
    scene.bestScore = Math.max(scene.bestScore, contender.score);
  }
  for (const contender of contenders) {
    const { doc, score } = contender;
    const value = expectedValue(scene, doc, score) * (scene.affinity ? affinityAt(scene, doc) : 1);
    contender.rankValue = rankValueOf(value, contender.rankValue > 0);
  }
  return contenders;
}

function affinityAt(scene: Scene, doc: number): number {
  const item = scene.snapshot.itemAt(doc);
  const campaign = scene.snapshot.campaignAt(scene.snapshot.slotOf(doc));
  return item && campaign ? affinityOf(scene, campaign, item.id) : 1;
}
