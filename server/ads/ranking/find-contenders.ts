import type { KeywordMatches } from "../matching/match-keywords";
import { medianPrice, priceFit, pricePreferenceOf } from "../query/price-preference";
import type { Need } from "../query/read-needs";
import type { Neighbours } from "../serving/neighbours";
import { priceAt } from "../serving/price-at";
import { withNeighbours } from "./add-neighbours";
import type { Reading } from "./decision";
import { Draws } from "./draws";
import { evaluateAll, refined } from "./evaluate-items";
import { SHARE_OF_BEST_NEEDED } from "./fit-features";
import { learnedTerms } from "./learned-terms";
import { type Match, matchNeed } from "./match-need";
import { Shortlist, wantedBy } from "./pick-candidates";
import type { Ranking } from "./ranking";
import { canSkipUnlikelyItems, isPlain, measure, type Outset, type Scene } from "./scene";
import { scoreItems } from "./score-items";
import { wantedKind } from "./wanted-kind";
import { type Population, weighTerms } from "./weigh-terms";

/** The size of the sample from which the usual price of the matches is estimated. */
const PRICES_MAX = 500;
/** A tolerance for rounding; borderline items are compared exactly. */
const ALMOST = 0.999;
/** What a page or a signal must have in common with the best item. */
const CONTEXT_COVERAGE_NEEDED = 0.3;

export interface SearchText {
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
export function findContenders(outset: Outset, lead: SearchText): FoundContenders {
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
  const keywords = need.source === "query" ? snapshot.keywords.match(need.words) : NO_KEYWORDS;
  const selected = [...keywords.positive.keys()].flatMap((slot) => [...snapshot.creativesAt(slot)].filter(finds));
  const { locale } = request;
  const matched = matchNeed(snapshot, need, { locale, population, shareOfBestNeeded, selected, finds, counts });
  const { match, nearness } = withNeighbours(matched, lead.neighbours, { snapshot, finds, counts: eligibility.admits });
  if (nearness && lead.neighbours) tracer?.recordNeighbours(lead.neighbours);
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
    draws: new Draws(snapshot, seed),
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
  const shortlist = new Shortlist({ wanted: wantedBy(request.limit), idOf: (doc) => snapshot.itemAt(doc)?.id ?? "" });
  evaluateAll(scene, shortlist);
  const contenders = refined(scene, shortlist.contenders());
  const { bestScore, affinity } = scene;
  const comparesPrices = scene.fitOf !== undefined;
  return { contenders, bestScore, terms, affinity, comparesPrices, reading: tracer && readingOf(scene, lead) };
}

/** Whether what was found fits the text; a page or a signal only has to have enough in common with it. */
const isFit = ({ fit }: Match, bestCovered: number, threshold: number): boolean =>
  fit ? fit.probability >= threshold : bestCovered >= CONTEXT_COVERAGE_NEEDED;

const readingOf = ({ match, nearness, best, needed }: Scene, { need, threshold }: SearchText): Reading => ({
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
  const plain = isPlain(scene);
  let best = 0;
  for (let i = 0; i < scene.found; i++) {
    const doc = sums.touched[i] as number;
    if (plain && (sums.scores[doc] as number) <= best) continue;
    if (scene.tracer && !scene.eligibility.admits(doc)) continue;
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

const mayServe = ({ snapshot, eligibility, keywords }: Scene, doc: number): boolean =>
  eligibility.admits(doc) && !keywords.negative.has(snapshot.slotOf(doc)) && eligibility.admitsItem(doc);

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

/** Most items of a frequent word do not reach this value, so one comparison skips them. */
const coverageFloorOf = (scene: Scene): number =>
  canSkipUnlikelyItems(scene) ? scene.needed * scene.match.coverable * ALMOST : Number.NEGATIVE_INFINITY;
