import { z } from "zod";
import type { AdsCtx } from "../ads-ctx";
import { ownCampaign } from "../campaigns/campaign";
import { id } from "../fields";
import { type Creative, creativeOf, noCreative } from "./creative";

export const GetCreative = z.strictObject({ id, creative_id: id });

/** One creative of a campaign (`id`). Throws `not_found` for either. */
export async function getCreative(ctx: AdsCtx, input: z.output<typeof GetCreative>): Promise<Creative> {
  const campaign = await ownCampaign(ctx, input.id);
  const row = await ctx.db.creative.findFirst({
    where: { id: input.creative_id, campaignId: campaign.id, archivedAt: null },
  });
  if (!row) throw noCreative(input.creative_id);
  return creativeOf(row);
}
