import { z } from "zod";
import { operation } from "../ads-operation";
import { id } from "../fields";
import { Campaign, ownCampaign } from "./campaign";
import { campaignExample } from "./campaign.example";
import type { CampaignCtx } from "./campaign-ctx";
import { toCampaign } from "./to-campaigns";

/** Returns a campaign of the tenant. Throws `not_found`, also for an archived one. */
export const getCampaign = operation({
  id: "getCampaign",
  summary: "Get a campaign",
  access: "ads:read",
  input: z.strictObject({ id }),
  output: Campaign,
  example: { input: { id: campaignExample.id }, output: campaignExample },
  run: async (ctx: CampaignCtx, input) => {
    return toCampaign(ctx, await ownCampaign(ctx, input.id));
  },
});
