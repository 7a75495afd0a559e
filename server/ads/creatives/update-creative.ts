import { z } from "zod";
import { recordUpdate } from "../../identity/audit/record-update";
import type { AdsCtx } from "../ads-ctx";
import { ownCampaign } from "../campaigns/campaign";
import { id } from "../fields";
import { type Creative, creativeExtras, creativeOf, creativeTarget, extraColumns, noCreative } from "./creative";
import { lockCreative } from "./creative.sql";
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
  return ctx.db.$transaction(async (tx) => {
    await lockCreative(tx, input.creative_id);
    const own = { id: input.creative_id, campaignId: campaign.id, archivedAt: null };
    const before = await tx.creative.findFirst({ where: own });
    if (!before) throw noCreative(input.creative_id);
    const row = await tx.creative.update({
      where: { id: before.id },
      data: {
        ...(input.title !== undefined && { title: input.title }),
        ...(input.content !== undefined && { content: input.content }),
        ...(input.cta !== undefined && { cta: input.cta }),
        ...(input.landing_url !== undefined && { landingUrl: input.landing_url }),
        ...extraColumns(input),
        updatedAt: ctx.clock.now(),
      },
    });
    const after = creativeOf(row);
    await recordUpdate(tx, ctx, { target: creativeTarget(row), before: creativeOf(before), after });
    return after;
  });
}
