import type { OfferRequest } from "../../server/ads/serving/offer-request";
import type { ServingCampaign, ServingChannel } from "../../server/ads/serving/serving";

export const benchChannel: ServingChannel = {
  id: "chn_bench",
  tenantId: "ten_bench",
  mode: "test",
  name: "Bench",
  origins: [],
  categories: [],
  blockedCategories: [],
  blockedAdvertisers: new Set(),
  network: "all",
  networkSuspended: false,
  approvedAdvertisers: new Set(),
  strictness: "balanced",
};

export const benchCampaign: ServingCampaign = {
  id: "cmp_bench",
  tenantId: benchChannel.tenantId,
  advertiserId: "adv_bench",
  mode: "test",
  name: "Bench",
  model: "cpc",
  bidMicros: 500_000n,
  bidNumber: 500_000,
  timezone: "UTC",
  pacing: "asap",
  reach: "tenant",
  status: "active",
  caps: [],
  targeting: { geos: [], devices: [], locales: [], placements: [], categories: [], channels: [] },
  keywords: [],
  attribution: {},
  createdAtMs: 0,
  spentTodayNanos: 0n,
  spentTotalNanos: 0n,
  budgetSpent: false,
  passRate: 1,
};

export const benchRequest = (query: string): OfferRequest => ({
  query,
  context: "",
  placement: "sponsored_result",
  locale: "en",
  device: "desktop",
  geo: "",
  limit: 8,
  signals: [],
  channelId: benchChannel.id,
});
