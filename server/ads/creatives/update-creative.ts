import { z } from "zod";
import { recordUpdate } from "../../identity/audit/record-update";
import type { ActorCtx } from "../../identity/identity-ctx";
import { operation } from "../ads-operation";
import { ownCampaign } from "../campaigns/campaign";
import { id } from "../fields";
import { Creative, creativeExtras, creativeOf, creativeTarget, extraColumns, noCreative } from "./creative";
import { creativeExample, creativePathExample } from "./creative.example";
import { lockCreative } from "./creative.sql";
import { content, cta, landingUrl, title } from "./creative-fields";

/**
 * Changes the given fields; `null` clears brand, product, price or rating, and an object replaces the previous one.
 * Offers that were already served keep their content and landing page. Throws `not_found`.
 */
export const updateCreative = operation({
  id: "updateCreative",
  summary: "Update a creative",
  access: "ads:write",
  input: z.strictObject({
    id,
    creative_id: id,
    title: title.optional(),
    content: content.optional(),
    cta: cta.optional(),
    landing_url: landingUrl.optional(),
    ...creativeExtras,
  }),
  output: Creative,
  example: { input: { ...creativePathExample, cta: "Buy now" }, output: { ...creativeExample, cta: "Buy now" } },
  run: async (ctx: ActorCtx, input) => {
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
  },
});
