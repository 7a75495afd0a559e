import { ServingState } from "../../server/ads/matching/serving-state";
import { decideOffers } from "../../server/ads/ranking/decide-offers";
import { DEPTH, type Rank } from "./engine";
import type { CatalogItem } from "./judged-folder";
import { benchCampaign, benchChannel, benchRequest } from "./relevance-scene";

const NOW = new Date("2026-11-20T12:00:00Z");

/** A serving state with the items in one campaign. */
export function stateOf(items: readonly CatalogItem[]): ServingState {
  const state = new ServingState();
  state.putChannel(benchChannel);
  state.putAdvertiser({
    id: benchCampaign.advertiserId,
    tenantId: benchChannel.tenantId,
    mode: "test",
    name: "Bench",
    isApproved: false,
    blockedChannels: new Set(),
    blockedDomains: [],
  });
  state.putCampaign(benchCampaign);
  for (const { id, title, description: content, link: landingUrl, brand: brandName, category, details } of items) {
    const texts = { title, content, landingUrl, brandName, category };
    state.putItem({ kind: "product", id, campaignId: benchCampaign.id, ...texts, inStock: true }, details);
  }
  return state;
}

/** The whole decision as a ranker; `threshold` replaces the probability that the channel needs. */
export const rankOf =
  (state: ServingState, threshold?: number): Rank =>
  (query) =>
    decideOffers(state, benchRequest(query), { now: NOW, seed: "", threshold })
      .candidates.slice(0, DEPTH)
      .map(({ item }) => item.id);
