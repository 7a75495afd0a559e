import { EXAMPLE_TIMES, exampleId } from "../../operation/example";
import type { Campaign } from "./campaign";

export const newCampaignExample = {
  advertiser_id: exampleId("adv"),
  name: "Autumn trail shoes",
  model: "cpc" as const,
  bid_micros: 400_000,
  daily_budget_micros: 50_000_000,
  timezone: "Europe/Oslo",
  keywords: [{ text: "trail running shoes", match: "phrase" as const }],
};

export const campaignExample: Campaign = {
  id: exampleId("cmp"),
  mode: "live",
  currency: "USD",
  ...newCampaignExample,
  total_budget_micros: null,
  starts_at: null,
  ends_at: null,
  pacing: "even",
  reach: "tenant",
  status: "active",
  caps: [{ count: 3, window_seconds: 86_400, per: "campaign" }],
  targeting: { geos: ["NO"], devices: [], locales: [], placements: [], categories: [], channels: [] },
  attribution: { click_days: 30, view_days: 1 },
  items: 1,
  network: null,
  ...EXAMPLE_TIMES,
};
