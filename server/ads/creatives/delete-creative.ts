import { z } from "zod";
import { recordAudit } from "../../identity/audit/record-audit";
import type { ActorCtx } from "../../identity/identity-ctx";
import { operation } from "../ads-operation";
import { campaignTarget, ownCampaign } from "../campaigns/campaign";
import { id } from "../fields";
import { creativeTarget, noCreative } from "./creative";
import { creativePathExample } from "./creative.example";

/** Archives a creative; it stops serving, and its reports remain. Throws `not_found`, also for an archived one. */
export const deleteCreative = operation({
  id: "deleteCreative",
  summary: "Archive a creative",
  access: "ads:write",
  input: z.strictObject({ id, creative_id: id }),
  output: z.void(),
  example: { input: creativePathExample, output: undefined },
  run: async (ctx: ActorCtx, input) => {
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
  },
});
