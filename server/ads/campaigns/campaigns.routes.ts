import { dashboardRead, route, routeGroup } from "../../operation/route";
import { createCampaign } from "./create-campaign";
import { deleteCampaign } from "./delete-campaign";
import { getCampaign } from "./get-campaign";
import { listCampaignFigures } from "./list-campaign-figures";
import { listCampaigns } from "./list-campaigns";
import { restoreCampaign } from "./restore-campaign";
import { updateCampaign } from "./update-campaign";

export const campaignRoutes = routeGroup("Campaigns", "Bids, budgets, schedules and targeting", [
  route("POST", "/v1/ads/campaigns", createCampaign),
  route("GET", "/v1/ads/campaigns", listCampaigns),
  route("GET", "/v1/ads/campaigns/{id}", getCampaign),
  route("PATCH", "/v1/ads/campaigns/{id}", updateCampaign),
  route("DELETE", "/v1/ads/campaigns/{id}", deleteCampaign),
  route("POST", "/v1/ads/campaigns/{id}/restore", restoreCampaign),
  dashboardRead(listCampaignFigures),
]);
