import { z } from "zod";
import { recordAudit } from "../../identity/audit/record-audit";
import type { AdsCtx } from "../ads-ctx";
import { campaignTarget, ownCampaign } from "../campaigns/campaign";
import { id } from "../fields";
import { creativeTarget, noCreative } from "./creative";

export const DeleteCreative = z.strictObject({ id, creative_id: id });

/** Archives a creative: it stops serving, its reports stay. Throws `not_found`, for an archived one too. */
export async function deleteCreative(ctx: AdsCtx, input: z.output<typeof DeleteCreative>): Promise<void> {
  const campaign = await ownCampaign(ctx, input.id);
  const now = ctx.clock.now();
  await ctx.db.$transaction(async (tx) => {
    const [creative] = await tx.creative.updateManyAndReturn({
      where: { id: input.creative_id, campaignId: campaign.id, archivedAt: null },
      data: { archivedAt: now, updatedAt: now },
    });
    if (!creative) throw noCreative(input.creative_id);
    const targets = [creativeTarget(creative), campaignTarget(campaign)];
    await recordAudit(tx, ctx, { action: "creative.archived", targets });
  });
}
