import { z } from "zod";
import { recordAudit } from "../../identity/audit/record-audit";
import { notFound } from "../../kernel/errors";
import type { AdsCtx } from "../ads-ctx";
import { id } from "../fields";
import { ownRowsOfMode } from "../own-rows";
import { campaignTarget } from "./campaign";

export const DeleteCampaign = z.strictObject({ id });

/**
 * Archives a campaign: it stops serving, its creatives and products can no longer be reached, its reports stay.
 * Throws `not_found`, for one that is archived already too.
 */
export async function deleteCampaign(ctx: AdsCtx, input: z.output<typeof DeleteCampaign>): Promise<void> {
  const { db, clock, actor } = ctx;
  const now = clock.now();
  await db.$transaction(async (tx) => {
    const [campaign] = await tx.campaign.updateManyAndReturn({
      where: { id: input.id, ...ownRowsOfMode(actor) },
      data: { archivedAt: now, updatedAt: now },
    });
    if (!campaign) throw notFound("campaign", input.id);
    await recordAudit(tx, ctx, { action: "campaign.archived", targets: [campaignTarget(campaign)] });
  });
}
