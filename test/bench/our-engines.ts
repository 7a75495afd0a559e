import { ServingState } from "../../server/ads/matching/serving-state";
import { readNeeds } from "../../server/ads/query/read-needs";
import { Vocabulary } from "../../server/ads/query/vocabulary";
import { decideOffers } from "../../server/ads/ranking/decide-offers";
import type { Fit } from "../../server/ads/ranking/fit-model";
import { matchNeed } from "../../server/ads/ranking/match-need";
import type { ServingAdvertiser, ServingCampaign, ServingChannel } from "../../server/ads/serving/serving";
import { Eligibility } from "../../server/ads/targeting/eligibility";
import { DEPTH, type Engine, type Rank } from "./engine";
import { type MadeCatalogue, shopOf } from "./made-catalogues";
import { benchCampaign, benchChannel, benchRequest } from "./relevance-scene";

const NOW = new Date("2026-11-20T12:00:00Z");

/** The whole decision and, over the same index, its ranking without the gate. */
export function ourEngines(catalogue: MadeCatalogue, channel: ServingChannel = benchChannel): [Engine, Engine] {
  const state = stateOf(catalogue, channel);
  const probabilityOf = (query: string) => fitOfQuery(state, query)?.probability;
  return [
    { name: "ours", rank: rankOf(state), probabilityOf },
    { name: "ours, no gate", rank: rankOf(state, 0) },
  ];
}

/** A serving state with the items, dealt out among as many campaigns as the catalogue has shops. */
export function stateOf(
  { items, shops }: Pick<MadeCatalogue, "items" | "shops">,
  channel = benchChannel,
): ServingState {
  const state = new ServingState();
  state.putChannel(channel);
  for (let shop = 0; shop < shops; shop++) {
    state.putAdvertiser(advertiserOf(shop));
    state.putCampaign(campaignOf(shop));
  }
  for (const item of items) {
    const { id, title, description: content, link: landingUrl, brand: brandName, category, details } = item;
    const { id: campaignId } = campaignOf(shopOf(item, shops));
    const texts = { title, content, landingUrl, brandName, category };
    state.putItem({ kind: "product", id, campaignId, ...texts, inStock: true }, details);
  }
  return state;
}

const campaignOf = (shop: number): ServingCampaign => ({
  ...benchCampaign,
  id: `${benchCampaign.id}_${shop}`,
  advertiserId: advertiserOf(shop).id,
});

const advertiserOf = (shop: number): ServingAdvertiser => ({
  id: `${benchCampaign.advertiserId}_${shop}`,
  tenantId: benchChannel.tenantId,
  mode: "test",
  name: `Bench ${shop}`,
  isApproved: false,
  blockedChannels: new Set(),
  blockedDomains: [],
});

/** The whole decision as a ranker; `threshold` replaces the probability that the channel needs. */
export const rankOf =
  (state: ServingState, threshold?: number): Rank =>
  (query) =>
    decideOffers(state, benchRequest(query), { now: NOW, seed: "", threshold })
      .candidates.slice(0, DEPTH)
      .map(({ item }) => item.id);

/** How likely the decision believes that an item fits the query, and why; undefined without words that name goods. */
export function fitOfQuery(state: ServingState, query: string): Fit | undefined {
  const request = benchRequest(query);
  const channel = state.channel(benchChannel.id);
  if (!channel) return undefined;
  const eligibility = new Eligibility(state, { channel, request, nowMs: NOW.getTime(), seed: "" });
  const { admits } = eligibility;
  const population = { items: eligibility.items(), admits };
  const [need] = readNeeds(request, new Vocabulary(state.index, population));
  if (!need) return undefined;
  return matchNeed(state, need, {
    selected: [],
    locale: request.locale,
    population,
    shareOfBestNeeded: 0,
    finds: admits,
    counts: admits,
  }).fit;
}
