import { z } from "zod";
import { modeOf } from "../../identity/actors/actor";
import { ServiceError } from "../../kernel/errors";
import { nanosToMicros } from "../../kernel/money";
import type { AdsCtx } from "../ads-ctx";
import { secondPriceNanos } from "../auction/second-price";
import { OffersRequest } from "../offers/offers-request";
import { decideOffers } from "../ranking/decide-offers";
import type { Candidate, Reading } from "../ranking/decision";
import { steeringSignals } from "../signals/steering-signals";
import { subjectKeysOf } from "../signals/subject-keys";
import type { Explained, Explanation } from "./explanation";
import { type CappedFate, fatesAfterCaps } from "./fates-after-caps";
import { REASONS } from "./reasons";

const FATES_MAX = 1000;

export const ExplainOffers = OffersRequest.extend({
  gpc: z.boolean().default(false).describe("As for a visitor whose browser sends `Sec-GPC: 1`"),
  channel_id: z.string().max(64).describe("One of the tenant's channels"),
  campaign_id: z.string().max(64).optional().describe("Tell the fate of this campaign alone"),
  seed: z
    .string()
    .max(64)
    .default("")
    .describe("Equal offers and paced campaigns take turns by it; the same seed gives the same answer"),
}).strict();

/**
 * What became of everything that was considered for an offers request, by the very decision that serves offers: nothing
 * is minted, counted or remembered; with a `user_id` its frequency caps speak as well. Campaigns of others are shown only where the page would show them, without their
 * names and money. Throws `not_found` for a channel of another tenant or mode.
 */
export async function explainOffers(ctx: AdsCtx, input: z.output<typeof ExplainOffers>): Promise<Explanation> {
  const channel = ctx.catalog.channelById(input.channel_id);
  const isOwn = channel?.tenantId === ctx.actor.tenantId;
  if (!channel || !isOwn || (ctx.actor.kind === "key" && channel.mode !== modeOf(ctx.actor, undefined))) {
    throw new ServiceError("not_found", "There is no such channel.", { param: "channel_id" });
  }
  const rights = ctx.consent.rightsOf({ gpc: input.gpc }, input.consent);
  const keys = subjectKeysOf(ctx.userKey, channel.tenantId, { userId: input.user_id, sessionId: input.session_id });
  const inline = (input.signals ?? []).map((signal) => ({ signal, ageMs: 0 }));
  const recalled = rights.signals ? await ctx.signals.recall(keys) : [];
  const signals = steeringSignals([...inline, ...recalled]);
  const decision = decideOffers(
    ctx.catalog.snapshot(),
    { ...input, channelId: channel.id, signals },
    { now: ctx.clock.now(), seed: input.seed, traced: true },
  );
  const { limit, user_id: userId } = input;
  const { fates, competing } = await fatesAfterCaps(ctx, decision, { channel, userId, rights, limit });
  const { reading } = decision;
  const own = (fate: CappedFate) => fate.campaign.tenantId === ctx.actor.tenantId;
  const asked = fates.filter(({ campaign }) => (input.campaign_id ?? campaign.id) === campaign.id);
  const told = asked.filter((fate) => own(fate) || fate.outcome === "offered");
  const priceOf = (fate: CappedFate) => priceMicros(fate, competing, ctx);
  return {
    channel_id: channel.id,
    reading: reading ? wireReading(reading) : null,
    fates: told.slice(0, FATES_MAX).map((fate) => explained(fate, { own: own(fate), priceOf })),
    network_left_out: fates.filter((fate) => !own(fate) && fate.outcome !== "offered").length,
    truncated: told.length > FATES_MAX,
  };
}

const wireReading = ({ source, intent, terms, bestCoverage, neededCoverage }: Reading): Explanation["reading"] => ({
  source,
  intent,
  words: terms.map(({ word, weight }) => ({ word, weight })),
  best_coverage: bestCoverage,
  needed_coverage: neededCoverage ?? null,
});

interface Telling {
  own: boolean;
  priceOf: (fate: CappedFate) => number | null;
}

function explained(fate: CappedFate, { own, priceOf }: Telling): Explained {
  const { campaign, item, rank, reason, outcome } = fate;
  return {
    outcome,
    rank: rank === undefined ? null : rank + 1,
    reason: reason ?? null,
    explanation: reason ? REASONS[reason] : explainPlace(outcome, rank ?? 0),
    owner: own ? "own" : "network",
    campaign_id: own ? campaign.id : null,
    campaign_name: own ? campaign.name : null,
    creative_id: own && item?.kind === "creative" ? item.id : null,
    product_id: own && item?.kind === "product" ? item.id : null,
    title: item?.title ?? null,
    coverage: fate.coverage,
    value: own ? wireValue(fate) : null,
    price_micros: own ? priceOf(fate) : null,
  };
}

const explainPlace = (outcome: Explained["outcome"], rank: number): string =>
  outcome === "offered"
    ? `Offered in place ${rank + 1}.`
    : `Place ${rank + 1}: it fits, and would be offered if frequency caps kept others out.`;

function wireValue({ campaign, parts }: CappedFate): Explained["value"] {
  if (!parts) return null;
  const { relevance, rate, exploration, seen, bidMicros, value } = parts;
  return {
    ...{ relevance, click_rate: rate, exploration, ...seen },
    model: campaign.model,
    bid_micros: Number(bidMicros),
    value_micros: value,
  };
}

/** As the ledger would have it, in the unit of the bid; test campaigns and house offers are free whatever stands here. */
function priceMicros({ item }: CappedFate, candidates: readonly Candidate[], { reserve }: AdsCtx): number | null {
  const winner = candidates.find((candidate) => candidate.item === item);
  if (!winner) return null;
  const nanos = secondPriceNanos(winner, candidates, reserve);
  return winner.campaign.model === "cpm" ? nanos : Number(nanosToMicros(BigInt(nanos)));
}
