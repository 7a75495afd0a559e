import { relevanceOf } from "../auction/expected-value";
import type { Snapshot } from "../matching/snapshot";
import { readNeeds } from "../query/read-needs";
import { Vocabulary } from "../query/vocabulary";
import type { Neighbours } from "../serving/neighbours";
import type { OfferRequest } from "../serving/offer-request";
import type { ServingChannel } from "../serving/serving";
import { Eligibility } from "../targeting/eligibility";
import type { Candidate, Decision } from "./decision";
import { type DecisionMemory, requestKey } from "./decision-memory";
import { Draws } from "./draws";
import { type FoundContenders, findContenders } from "./find-contenders";
import { thresholdOf } from "./fit-model";
import { type Picked, pickCandidates, wantedBy } from "./pick-candidates";
import { affinityOf, NOTHING_RANKED, type Ranking } from "./ranking";
import { Tracer } from "./tracer";

export interface DecideOptions {
  now: Date;
  /** Identifies the request; decides which paced campaigns take part and breaks ties between equal offers. */
  seed: string;
  /** Also records the outcome of every considered item; the candidates are the same. */
  traced?: boolean | undefined;
  /** The probability of fit that is needed, instead of the channel's; 0 offers whatever was found. */
  threshold?: number | undefined;
  /** Decides for this channel, which may be none of the snapshot's, in place of the request's. */
  channel?: ServingChannel | undefined;
  /** The items whose vectors are nearest to the query's, if there is a semantic engine. */
  neighbours?: Neighbours | undefined;
  /** Remembers what was found for repeated requests; not used for a traced decision or with a threshold. */
  memory?: DecisionMemory | undefined;
}

/**
 * Ranks the items that may be offered for a request by expected value (server/ads/auction). It is synchronous, and the
 * same snapshot, request, `now` and `seed` give the same result. The first of query, context and signals that has
 * meaningful words decides what matches; the others only change ranks. If none of the three has any, nothing is
 * offered. A query is answered only if the probability that an item fits it reaches the channel's threshold, except
 * with campaigns whose keywords match it. Items whose vectors are near the query's are found without a common word. An
 * unknown channel has no candidates.
 */
export function decideOffers(snapshot: Snapshot, request: OfferRequest, options: DecideOptions): Decision {
  const { now, seed, traced, neighbours } = options;
  const channel = options.channel ?? snapshot.channel(request.channelId);
  if (!channel) return { channel, candidates: [], terms: [] };
  const memory = traced || options.threshold !== undefined ? undefined : options.memory;
  const key = memory && requestKey(request);
  const known = key === undefined ? undefined : memory?.find(snapshot, key, { seed, now, neighbours });
  if (known) return { channel, ...picked({ snapshot, request }, drawnAgain(snapshot, known, seed)) };
  const eligibility = new Eligibility(snapshot, { channel, request, nowMs: now.getTime(), seed });
  const tracer = traced ? new Tracer(snapshot, eligibility) : undefined;
  const found = findFor({ snapshot, request, channel, eligibility, tracer }, options);
  const isLasting = !found.comparesPrices && !eligibility.isTimed;
  if (key !== undefined && isLasting) {
    memory?.keep(snapshot, key, { ...found, paced: eligibility.paced, neighbours, now });
  }
  const decision = { channel, ...picked({ snapshot, request }, found) };
  return tracer ? { ...decision, fates: tracer.fates(decision.candidates), reading: found.reading } : decision;
}

interface Asked {
  snapshot: Snapshot;
  request: OfferRequest;
}

interface Finding extends Asked {
  channel: ServingChannel;
  eligibility: Eligibility;
  tracer: Tracer | undefined;
}

/** Tries the texts of a request, strongest first, until one finds something; after a query nothing else is tried. */
function findFor({ channel, ...outset }: Finding, options: DecideOptions): FoundContenders {
  const { snapshot, request, eligibility, tracer } = outset;
  const { seed } = options;
  const vocabulary = new Vocabulary(snapshot.index, { items: eligibility.items(), admits: eligibility.admits });
  const needs = readNeeds(request, vocabulary);
  const threshold = options.threshold ?? thresholdOf(channel.strictness);
  const leaders = needs[0]?.source === "query" ? needs.slice(0, 1) : needs;
  let found: FoundContenders = { ...NOTHING_RANKED, comparesPrices: false, reading: undefined };
  for (const need of leaders) {
    tracer?.restart();
    const neighbours = need.source === "query" ? options.neighbours : undefined;
    found = findContenders({ ...outset, seed }, { need, needs, threshold, neighbours });
    if (found.contenders.length > 0) break;
  }
  return found;
}

/** Orders equal contenders by the seed of this request. */
function drawnAgain(snapshot: Snapshot, ranking: Ranking, seed: string): Ranking {
  const draws = new Draws(snapshot, seed);
  for (const contender of ranking.contenders) contender.draw = draws.of(snapshot.slotOf(contender.doc));
  return ranking;
}

const picked = ({ snapshot, request }: Asked, ranking: Ranking): Pick<Decision, "candidates" | "terms"> => ({
  candidates: pickCandidates(ranking.contenders, {
    wanted: wantedBy(request.limit),
    idOf: (doc) => snapshot.itemAt(doc)?.id ?? "",
  }).map((one) => toCandidate(snapshot, ranking, one)),
  terms: ranking.terms,
});

function toCandidate(snapshot: Snapshot, ranking: Ranking, { contender, tier }: Picked): Candidate {
  const { doc, score } = contender;
  const slot = snapshot.slotOf(doc);
  const campaign = snapshot.campaignAt(slot);
  const item = snapshot.itemAt(doc);
  const advertiser = campaign && snapshot.advertiser(campaign.advertiserId);
  if (!campaign || !item || !advertiser) throw new Error("A contender lost its campaign within one decision.");
  const relevance = relevanceOf(score, ranking.bestScore);
  const valuePerMicro = relevance * snapshot.worthAt(doc) * affinityOf(ranking, campaign, item.id);
  return {
    item,
    campaign,
    advertiser,
    score,
    relevance,
    valuePerMicro,
    value: valuePerMicro * campaign.bidNumber,
    rivalry: tier,
    cta: item.kind === "product" ? firstCta(snapshot, slot) : undefined,
  };
}

function firstCta(snapshot: Snapshot, slot: number): string | undefined {
  const [doc] = snapshot.creativesAt(slot);
  const creative = doc === undefined ? undefined : snapshot.itemAt(doc);
  return creative?.kind === "creative" ? creative.cta : undefined;
}
