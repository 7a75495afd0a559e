import { z } from "zod";
import { ServiceError } from "../../kernel/errors";
import { nanosToMicros } from "../../kernel/money";
import { type Mode, modeOf } from "../../operation/actor";
import { exampleId } from "../../operation/example";
import { operation } from "../ads-operation";
import { secondPriceNanos } from "../auction/second-price";
import { modeChoice } from "../fields";
import { OffersRequest } from "../offers/offers-request";
import { decideOffers } from "../ranking/decide-offers";
import type { Candidate, Reading } from "../ranking/decision";
import { FEATURE_DESCRIPTIONS } from "../ranking/fit-features";
import type { ServingChannel, ServingItem } from "../serving/serving";
import { steeringSignals } from "../signals/steering-signals";
import { subjectKeysOf } from "../users/subject-keys";
import type { ExplainCtx } from "./explain-ctx";
import { type Explained, Explanation } from "./explanation";
import { explanationExample } from "./explanation.example";
import { type CappedOutcome, outcomesAfterCaps } from "./outcomes-after-caps";
import { REASONS } from "./reasons";

const FATES_MAX = 1000;
/** Serving does not wait as long for the vector of a query, but has it from the second request on. */
const WAIT_FOR_VECTOR_MS = 2000;

export const ExplainOffers = OffersRequest.extend({
  gpc: z.boolean().default(false).describe("Evaluates the request as if the browser sent `Sec-GPC: 1`"),
  channel_id: z
    .string()
    .max(64)
    .optional()
    .describe(
      "The id of one of the tenant's channels; default: any other publisher's channel that shows all network campaigns, has no categories and is `balanced`",
    ),
  mode: modeChoice.describe("The mode without a `channel_id`, with a session (default: test); a key uses its own mode"),
  campaign_id: z.string().max(64).optional().describe("Return only the outcomes of this campaign"),
  seed: z
    .string()
    .max(64)
    .default("")
    .describe("Selects among equal offers and paced campaigns; the same seed gives the same result"),
}).strict();

/**
 * Returns the outcome of everything that was considered for an offers request, using the code that serves offers. No
 * offer is created and nothing is counted or stored; with a `user_id`, that user's frequency caps apply. Other tenants'
 * campaigns are included only if the page would show them, without their names, amounts and pictures. Without a channel the result is
 * that of another publisher's channel, for advertisers who have none. Throws `not_found` for a channel of another tenant
 * or mode.
 */
export const explainOffers = operation({
  id: "explainOffers",
  summary: "Explain the offers for a request",
  access: "ads:read",
  input: ExplainOffers,
  output: Explanation,
  example: {
    input: { channel_id: exampleId("chn"), query: "trail running shoes", limit: 3 },
    output: explanationExample,
  },
  run: async (ctx: ExplainCtx, input) => {
    const channel = channelFor(ctx, input);
    const rights = ctx.consent.rightsOf({ gpc: input.gpc }, input.consent);
    const keys = subjectKeysOf(ctx.userKey, channel.tenantId, { userId: input.user_id, sessionId: input.session_id });
    const inline = (input.signals ?? []).map((signal) => ({ signal, ageMs: 0 }));
    const recalled = rights.signals ? await ctx.signals.recall(keys) : [];
    const signals = steeringSignals([...inline, ...recalled]);
    const neighbours = ctx.nearest && (await ctx.nearest.of(input.query, WAIT_FOR_VECTOR_MS));
    const decision = decideOffers(
      ctx.catalog.snapshot(),
      { ...input, channelId: channel.id, signals },
      { now: ctx.clock.now(), seed: input.seed, traced: true, neighbours, channel },
    );
    const { limit, user_id: userId } = input;
    const { fates, competing } = await outcomesAfterCaps(ctx, decision, { channel, userId, rights, limit });
    const { reading } = decision;
    const own = (fate: CappedOutcome) => fate.campaign.tenantId === ctx.actor.tenantId;
    const ownerOf = (fate: CappedOutcome): Explained["owner"] => {
      if (own(fate)) return "own";
      return ctx.catalog.snapshot().buyer(fate.campaign.tenantId)?.isHouse ? "house" : "network";
    };
    const selected = fates.filter(({ campaign }) => (input.campaign_id ?? campaign.id) === campaign.id);
    const shown = selected.filter((fate) => own(fate) || fate.outcome === "offered");
    const listed = shown.slice(0, FATES_MAX);
    const disclosure = {
      ownerOf,
      brandNameOf: (fate: CappedOutcome) => brandName(fate, ctx),
      imageLinks: await readImageLinks(ctx, listed.filter(own)),
      priceOf: (fate: CappedOutcome) => priceMicros(fate, competing, ctx),
    };
    return {
      channel_id: input.channel_id ?? null,
      reading: reading ? wireReading(reading, channel) : null,
      fates: listed.map((fate) => explained(fate, disclosure)),
      network_left_out: fates.filter((fate) => !own(fate) && fate.outcome !== "offered").length,
      truncated: shown.length > FATES_MAX,
    };
  },
});

/** The tenant's channel, or without an id a channel of nobody, on which only network campaigns serve. */
function channelFor(ctx: ExplainCtx, { channel_id: id, mode }: z.output<typeof ExplainOffers>): ServingChannel {
  if (id === undefined) return otherChannel(modeOf(ctx.actor, mode));
  const channel = ctx.catalog.channelById(id);
  const isOwn = channel?.tenantId === ctx.actor.tenantId;
  if (!channel || !isOwn || (ctx.actor.kind === "key" && channel.mode !== modeOf(ctx.actor, undefined)))
    throw new ServiceError("not_found", "This channel does not exist.", { param: "channel_id" });
  return channel;
}

/** Its id and tenant are of no row, so that no user's counts apply and filters cache its results apart. */
const otherChannel = (mode: Mode): ServingChannel => ({
  id: `network:${mode}`,
  tenantId: "",
  mode,
  name: "",
  origins: [],
  categories: [],
  blockedCategories: [],
  blockedAdvertisers: new Set(),
  network: "all",
  strictness: "balanced",
  networkSuspended: false,
  approvedAdvertisers: new Set(),
});

const wireReading = (reading: Reading, { strictness }: ServingChannel): Explanation["reading"] => ({
  source: reading.source,
  words: reading.terms.map(({ isWanted, ...term }) => ({ ...term, wanted: isWanted })),
  probability: reading.fit?.probability ?? null,
  threshold: reading.threshold,
  strictness,
  features: (reading.fit?.parts ?? []).map(({ feature, value, part }) => ({
    feature,
    value,
    part,
    description: FEATURE_DESCRIPTIONS[feature],
  })),
  nearest_cosine: reading.nearness?.cosine ?? null,
  nearest_part: reading.nearness?.part ?? null,
  best_coverage: reading.bestCoverage,
  needed_coverage: reading.neededCoverage ?? null,
  coverage_threshold: reading.coverageThreshold ?? null,
});

interface Disclosure {
  ownerOf: (fate: CappedOutcome) => Explained["owner"];
  brandNameOf: (fate: CappedOutcome) => string | null;
  /** By product id. */
  imageLinks: ReadonlyMap<string, string>;
  priceOf: (fate: CappedOutcome) => number | null;
}

function explained(fate: CappedOutcome, { ownerOf, brandNameOf, imageLinks, priceOf }: Disclosure): Explained {
  const owner = ownerOf(fate);
  const own = owner === "own";
  const { campaign, item, rank, reason, outcome } = fate;
  return {
    outcome,
    rank: rank === undefined ? null : rank + 1,
    reason: reason ?? null,
    explanation: reason ? REASONS[reason] : explainPlace(outcome, rank ?? 0),
    owner,
    campaign_id: own ? campaign.id : null,
    campaign_name: own ? campaign.name : null,
    creative_id: own && item?.kind === "creative" ? item.id : null,
    product_id: own && item?.kind === "product" ? item.id : null,
    title: item?.title ?? null,
    brand_name: brandNameOf(fate),
    image_link: (own && item && imageLinks.get(item.id)) || null,
    coverage: fate.coverage,
    cosine: fate.cosine ?? null,
    value: own ? wireValue(fate) : null,
    price_micros: own ? priceOf(fate) : null,
  };
}

function brandName({ campaign, item }: CappedOutcome, { catalog }: ExplainCtx): string | null {
  const advertiser = catalog.snapshot().advertiser(campaign.advertiserId);
  return (item && shownBrand(item)) || advertiser?.name || null;
}

/** As `renderOffer` names it, if the item has a brand of its own. */
const shownBrand = (item: ServingItem): string | undefined =>
  item.kind === "product" ? item.brandName : item.brand?.name;

/**
 * The pictures of products, by id; those of other tenants are not read, so that no tenant can have the browsers of
 * others fetch from its server. The catalog holds no pictures: offers have none.
 */
async function readImageLinks(
  { db }: ExplainCtx,
  fates: readonly CappedOutcome[],
): Promise<ReadonlyMap<string, string>> {
  const ids = fates.flatMap(({ item }) => (item?.kind === "product" ? [item.id] : []));
  if (ids.length === 0) return new Map();
  const rows = await db.product.findMany({ where: { id: { in: ids } }, select: { id: true, imageLink: true } });
  return new Map(rows.flatMap(({ id, imageLink }) => (imageLink === null ? [] : [[id, imageLink]])));
}

const explainPlace = (outcome: Explained["outcome"], rank: number): string =>
  outcome === "offered"
    ? `Offered at rank ${rank + 1}.`
    : `Rank ${rank + 1}: matches, and would be offered if frequency caps excluded others.`;

function wireValue({ campaign, parts }: CappedOutcome): Explained["value"] {
  if (!parts) return null;
  const { relevance, rate, exploration, termAffinity, seen, bidMicros, value } = parts;
  return {
    relevance,
    click_rate: rate,
    exploration,
    term_affinity: termAffinity,
    ...seen,
    model: campaign.model,
    bid_micros: Number(bidMicros),
    value_micros: value,
  };
}

/**
 * The price that the ledger would store, in the unit of the bid. Test campaigns and house offers have a price too, but
 * are not charged.
 */
function priceMicros(
  { item }: CappedOutcome,
  candidates: readonly Candidate[],
  { reserve }: ExplainCtx,
): number | null {
  const winner = candidates.find((candidate) => candidate.item === item);
  if (!winner) return null;
  const nanos = secondPriceNanos(winner, candidates, reserve);
  return winner.campaign.model === "cpm" ? nanos : Number(nanosToMicros(BigInt(nanos)));
}
