import type { QuietPart } from "../../identity/part";
import { campaignEventKinds } from "./campaign.events";
import { CAMPAIGNS_QUOTA } from "./campaigns.quotas";
import { campaignRoutes } from "./campaigns.routes";
import { campaignTools } from "./campaigns.tools";

/** Bids, budgets, schedules and targeting. */
export const campaignsPart: QuietPart<object, typeof campaignRoutes> = {
  name: "campaigns",
  routes: [campaignRoutes],
  tools: campaignTools,
  eventKinds: campaignEventKinds,
  quotas: [CAMPAIGNS_QUOTA],
};
