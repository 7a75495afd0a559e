import { z } from "zod";
import type { ActorCtx } from "../../identity/identity-ctx";
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
  run: async (ctx: ActorCtx & Pick<CampaignCtx, "automaticReview" | "currency">, input) => {
    return toCampaign(ctx, await ownCampaign(ctx, input.id));
  },
});
