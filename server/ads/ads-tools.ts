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
const campaignNotes = {
  pacing: "even: over the day, and a total budget until `ends_at`; asap: until the budget is used up",
  "targeting.geos": "ISO 3166-1 alpha-2",
  "targeting.locales": "BCP 47",
  "targeting.categories.*": "Such as `Electronics>Laptops`",
  "targeting.channels": "",
  "attribution.click_days": "Within which a conversion counts",
  "attribution.view_days": "0: views do not count",
};
const requestNotes = {
  placement: "",
  user_id: "A keyed hash, never personal data",
  locale: "",
  signals: "",
  "consent.tcf": "",
  "consent.gpp": "",
  consent: "Consent strings of the page",
  "consent.gpp_sid": "",
  gpc: "As if the browser sent `Sec-GPC: 1`",
  channel_id: "Default: any other publisher's channel without categories",
  campaign_id: "Only the outcomes of this campaign",
  seed: "The same seed gives the same result",
};

/** The tools of the offers product, all beyond the specification. */
export const adsTools: readonly Tool[] = [
  extraTool("svc_ads_channels_list", listChannels, { without }),
  extraTool("svc_ads_channels_create", createChannel, {
    without,
    notes: {
      "categories.*": "Such as `Electronics>Laptops`",
      "blocked_categories.*": "",
      network: "Campaigns of other tenants: all that are eligible, those of `approved_advertisers`, or none",
      strictness: "How sure svc must be that an offer fits the request",
    },
  }),
  extraTool("svc_ads_advertisers_list", listAdvertisers, { without }),
  extraTool("svc_ads_advertisers_create", createAdvertiser, {
    without,
    notes: {
      blocked_domains: "Publishers' domains on which its campaigns do not serve",
      blocked_channels: "Publishers' channels on which its campaigns do not serve",
    },
  }),
  extraTool("svc_ads_campaigns_list", listCampaigns, { without }),
  extraTool("svc_ads_campaigns_get", getCampaign, { renamed }),
  extraTool("svc_ads_campaigns_create", createCampaign, { without, notes: campaignNotes }),
  extraTool("svc_ads_campaigns_update", updateCampaign, { renamed, notes: campaignNotes }),
  extraTool("svc_ads_creatives_list", listCreatives, { renamed }),
  extraTool("svc_ads_creatives_create", createCreative, {
    renamed,
    notes: { "product.*.category": "Such as `Electronics>Laptops`", "price.*.currency": "ISO 4217" },
  }),
  extraTool("svc_ads_products_list", listProducts, { renamed }),
  extraTool("svc_ads_reports_get", getReport, { without: ["mode", "format"] }),
  extraTool("svc_ads_explain", explainOffers, { without, notes: requestNotes }),
];
