import { extraTool, type Tool } from "../../operation/tool";
import { createAdvertiser } from "./create-advertiser";
import { listAdvertisers } from "./list-advertisers";

const without = ["mode"];

export const advertiserTools: readonly Tool[] = [
  extraTool("svc_ads_advertisers_list", listAdvertisers, { without }),
  extraTool("svc_ads_advertisers_create", createAdvertiser, {
    without,
    notes: {
      blocked_domains: "Publishers' domains on which its campaigns do not serve",
      blocked_channels: "Publishers' channels on which its campaigns do not serve",
    },
  }),
];
