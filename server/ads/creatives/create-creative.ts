import { z } from "zod";
import { recordAudit } from "../../identity/audit/record-audit";
import type { ActorCtx } from "../../identity/identity-ctx";
import { newId } from "../../kernel/ids";
import { operation } from "../ads-operation";
import { campaignTarget, ownCampaign } from "../campaigns/campaign";
import type { CampaignCtx } from "../campaigns/campaign-ctx";
import { id } from "../fields";
import { assertInstallationHasRoom } from "../quotas/installation-limit";
import { ITEM_QUOTAS } from "../quotas/item-quotas";
import { Creative, creativeExtras, creativeOf, creativeTarget, extraColumns } from "./creative";
import { creativeExample, newCreativeExample } from "./creative.example";
import { content, cta, landingUrl, title } from "./creative-fields";

/** Adds a creative to a campaign (`id`). Throws `not_found` for the campaign. */
export const createCreative = operation({
  id: "createCreative",
  summary: "Add a creative to a campaign",
  access: "ads:write",
  idempotent: true,
  result: "created",
  quota: ITEM_QUOTAS.creatives,
  input: z.strictObject({ id, title, content, cta, landing_url: landingUrl, ...creativeExtras }),
  output: Creative,
  example: { input: { id: creativeExample.campaign_id, ...newCreativeExample }, output: creativeExample },
  run: async (ctx: ActorCtx & Pick<CampaignCtx, "itemsMax">, input) => {
    const campaign = await ownCampaign(ctx, input.id);
    const now = ctx.clock.now();
    return ctx.db.$transaction(async (tx) => {
      await assertInstallationHasRoom(tx, ctx);
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
  },
});
