import { z } from "zod";
import { recordAudit } from "../../identity/audit/record-audit";
import { newId } from "../../kernel/ids";
import type { AdsCtx } from "../ads-ctx";
import { campaignTarget, ownCampaign } from "../campaigns/campaign";
import { id } from "../fields";
import { type Creative, creativeExtras, creativeOf, creativeTarget, extraColumns } from "./creative";
import { content, cta, landingUrl, title } from "./creative-fields";

export const CreateCreative = z.strictObject({ id, title, content, cta, landing_url: landingUrl, ...creativeExtras });

/** Adds a creative to a campaign (`id`). Throws `not_found` for the campaign. */
export async function createCreative(ctx: AdsCtx, input: z.output<typeof CreateCreative>): Promise<Creative> {
  const campaign = await ownCampaign(ctx, input.id);
  const now = ctx.clock.now();
  return ctx.db.$transaction(async (tx) => {
    const row = await tx.creative.create({
      data: {
        id: newId("crv", now.getTime()),
        campaignId: campaign.id,
        title: input.title,
        content: input.content,
        cta: input.cta,
        landingUrl: input.landing_url,
        ...extraColumns(input),
        createdAt: now,
        updatedAt: now,
      },
    });
    const targets = [creativeTarget(row), campaignTarget(campaign)];
    await recordAudit(tx, ctx, { action: "creative.created", targets });
    return creativeOf(row);
  });
}
