import { z } from "zod";
import { newId } from "../../kernel/ids";
import type { AdsCtx } from "../ads-ctx";
import { ownCampaign } from "../campaigns/campaign";
import { id } from "../fields";
import { type Creative, creativeExtras, creativeOf, extraColumns } from "./creative";
import { content, cta, landingUrl, title } from "./creative-fields";

export const CreateCreative = z.strictObject({ id, title, content, cta, landing_url: landingUrl, ...creativeExtras });

/** Adds a creative to a campaign (`id`). Throws `not_found` for the campaign. */
export async function createCreative(ctx: AdsCtx, input: z.output<typeof CreateCreative>): Promise<Creative> {
  const campaign = await ownCampaign(ctx, input.id);
  const now = ctx.clock.now();
  const row = await ctx.db.creative.create({
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
  return creativeOf(row);
}
