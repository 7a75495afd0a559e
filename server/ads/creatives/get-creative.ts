import { z } from "zod";
import type { ActorCtx } from "../../identity/identity-ctx";
import { operation } from "../ads-operation";
import { ownCampaign } from "../campaigns/campaign";
import { id } from "../fields";
import { Creative, creativeOf, noCreative } from "./creative";
import { creativeExample, creativePathExample } from "./creative.example";

/** Returns a creative of a campaign (`id`). Throws `not_found` for either. */
export const getCreative = operation({
  id: "getCreative",
  summary: "Get a creative",
  access: "ads:read",
  input: z.strictObject({ id, creative_id: id }),
  output: Creative,
  example: { input: creativePathExample, output: creativeExample },
  run: async (ctx: ActorCtx, input) => {
    const campaign = await ownCampaign(ctx, input.id);
    const row = await ctx.db.creative.findFirst({
      where: { id: input.creative_id, campaignId: campaign.id, archivedAt: null },
    });
    if (!row) throw noCreative(input.creative_id);
    return creativeOf(row);
  },
});
