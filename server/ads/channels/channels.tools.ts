import { extraTool, type Tool } from "../../operation/tool";
import { createChannel } from "./create-channel";
import { listChannels } from "./list-channels";

const without = ["mode"];

export const channelTools: readonly Tool[] = [
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
];
