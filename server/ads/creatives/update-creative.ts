import { z } from "zod";
import type { AdsCtx } from "../ads-ctx";
import { ownCampaign } from "../campaigns/campaign";
import { id } from "../fields";
import { type Creative, creativeExtras, creativeOf, extraColumns, noCreative } from "./creative";
import { content, cta, landingUrl, title } from "./creative-fields";

export const UpdateCreative = z.strictObject({
  id,
  creative_id: id,
  title: title.optional(),
  content: content.optional(),
  cta: cta.optional(),
  landing_url: landingUrl.optional(),
  ...creativeExtras,
});

/**
 * Changes the fields that are given; `null` clears brand, product, price or rating, an object replaces the one before.
 * Offers that were served already keep what they showed and where they lead. Throws `not_found`.
 */
export async function updateCreative(ctx: AdsCtx, input: z.output<typeof UpdateCreative>): Promise<Creative> {
  const campaign = await ownCampaign(ctx, input.id);
  const [row] = await ctx.db.creative.updateManyAndReturn({
    where: { id: input.creative_id, campaignId: campaign.id, archivedAt: null },
    data: {
      ...(input.title !== undefined && { title: input.title }),
      ...(input.content !== undefined && { content: input.content }),
      ...(input.cta !== undefined && { cta: input.cta }),
      ...(input.landing_url !== undefined && { landingUrl: input.landing_url }),
      ...extraColumns(input),
      updatedAt: ctx.clock.now(),
    },
  });
  if (!row) throw noCreative(input.creative_id);
  return creativeOf(row);
}
