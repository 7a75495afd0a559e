import { extraTool, type Tool } from "../operation/tool";
import { createAdvertiser } from "./advertisers/create-advertiser";
import { listAdvertisers } from "./advertisers/list-advertisers";
import { createCampaign } from "./campaigns/create-campaign";
import { getCampaign } from "./campaigns/get-campaign";
import { listCampaigns } from "./campaigns/list-campaigns";
import { updateCampaign } from "./campaigns/update-campaign";
import { createChannel } from "./channels/create-channel";
import { listChannels } from "./channels/list-channels";
import { createCreative } from "./creatives/create-creative";
import { listCreatives } from "./creatives/list-creatives";
import { explainOffers } from "./explain/explain-offers";
import { listProducts } from "./products/list-products";
import { getReport } from "./reports/get-report";

const without = ["mode"];
const renamed = { campaign_id: "id" };

/** The tools of the offers product, all beyond the specification. */
export const adsTools: readonly Tool[] = [
  extraTool("svc_ads_channels_list", listChannels, { without }),
  extraTool("svc_ads_channels_create", createChannel, { without }),
  extraTool("svc_ads_advertisers_list", listAdvertisers, { without }),
  extraTool("svc_ads_advertisers_create", createAdvertiser, { without }),
  extraTool("svc_ads_campaigns_list", listCampaigns, { without }),
  extraTool("svc_ads_campaigns_get", getCampaign, { renamed }),
  extraTool("svc_ads_campaigns_create", createCampaign, { without }),
  extraTool("svc_ads_campaigns_update", updateCampaign, { renamed }),
  extraTool("svc_ads_creatives_list", listCreatives, { renamed }),
  extraTool("svc_ads_creatives_create", createCreative, { renamed }),
  extraTool("svc_ads_products_list", listProducts, { renamed }),
  extraTool("svc_ads_reports_get", getReport, { without: ["mode", "format"] }),
  extraTool("svc_ads_explain", explainOffers, { without }),
];
