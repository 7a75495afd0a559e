import { extraTool, type Tool } from "../../operation/tool";
import { createCampaign } from "./create-campaign";
import { getCampaign } from "./get-campaign";
import { listCampaigns } from "./list-campaigns";
import { updateCampaign } from "./update-campaign";

const without = ["mode"];
const renamed = { campaign_id: "id" };
const notes = {
  pacing: "even: over the day, and a total budget until `ends_at`; asap: until the budget is used up",
  "targeting.geos": "ISO 3166-1 alpha-2",
  "targeting.locales": "BCP 47",
  "targeting.categories.*": "Such as `Electronics>Laptops`",
  "targeting.channels": "",
  "attribution.click_days": "Within which a conversion counts",
  "attribution.view_days": "0: views do not count",
};

export const campaignTools: readonly Tool[] = [
  extraTool("svc_ads_campaigns_list", listCampaigns, { without }),
  extraTool("svc_ads_campaigns_get", getCampaign, { renamed }),
  extraTool("svc_ads_campaigns_create", createCampaign, { without, notes }),
  extraTool("svc_ads_campaigns_update", updateCampaign, { renamed, notes }),
];
