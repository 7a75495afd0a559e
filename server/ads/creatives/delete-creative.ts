import { z } from "zod";
import type { AdsCtx } from "../ads-ctx";
import { ownCampaign } from "../campaigns/campaign";
import { id } from "../fields";
import { noCreative } from "./creative";

export const DeleteCreative = z.strictObject({ id, creative_id: id });

/** Archives a creative: it stops serving, its reports stay. Throws `not_found`, for an archived one too. */
export async function deleteCreative(ctx: AdsCtx, input: z.output<typeof DeleteCreative>): Promise<void> {
  const campaign = await ownCampaign(ctx, input.id);
  const now = ctx.clock.now();
  const { count } = await ctx.db.creative.updateMany({
    where: { id: input.creative_id, campaignId: campaign.id, archivedAt: null },
    data: { archivedAt: now, updatedAt: now },
  });
  if (count === 0) throw noCreative(input.creative_id);
}
