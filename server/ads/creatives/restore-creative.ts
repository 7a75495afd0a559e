import { z } from "zod";
import { recordAudit } from "../../identity/audit/record-audit";
import type { ActorCtx } from "../../identity/identity-ctx";
import { assertQuota } from "../../identity/quotas/assert-quota";
import { lockLimit } from "../../identity/quotas/quota.sql";
import { operation } from "../ads-operation";
import { campaignArchived, campaignTarget, ownCampaignOrArchived } from "../campaigns/campaign";
import type { CampaignCtx } from "../campaigns/campaign-ctx";
import { id } from "../fields";
import { assertInstallationHasRoom } from "../quotas/installation-limit";
import { ITEM_QUOTAS } from "../quotas/item-quotas";
import { Creative, creativeOf, creativeTarget, noCreative } from "./creative";
import { creativeExample, creativePathExample } from "./creative.example";
import { lockCreative } from "./creative.sql";

/**
 * Restores an archived creative. One that is not archived is returned unchanged. Throws `not_found`, `conflict` while
 * its campaign is archived, and `quota_exceeded`.
 */
export const restoreCreative = operation({
  id: "restoreCreative",
  summary: "Restore an archived creative",
  description: "A creative that is not archived is returned unchanged.",
  access: "ads:write",
  input: z.strictObject({ id, creative_id: id }),
  output: Creative,
  example: { input: creativePathExample, output: creativeExample },
  run: (ctx: ActorCtx & Pick<CampaignCtx, "itemsMax">, input) => {
    const { db, clock, actor } = ctx;
    return db.$transaction(async (tx) => {
      // Before the creative, in the same order as creations, so that the two cannot deadlock.
      await lockLimit(tx, actor.tenantId, ITEM_QUOTAS.creatives.resource);
      const campaign = await ownCampaignOrArchived({ db: tx, actor }, input.id);
      await lockCreative(tx, input.creative_id);
      const before = await tx.creative.findFirst({ where: { id: input.creative_id, campaignId: campaign.id } });
      if (!before) throw noCreative(input.creative_id);
      if (campaign.archivedAt !== null) throw campaignArchived("creative", campaign.id);
      if (before.archivedAt === null) return creativeOf(before);
      await assertQuota(tx, actor, ITEM_QUOTAS.creatives);
      await assertInstallationHasRoom(tx, ctx);
      const row = await tx.creative.update({
        where: { id: before.id },
        data: { archivedAt: null, updatedAt: clock.now() },
      });
      const targets = [creativeTarget(row), campaignTarget(campaign)];
      await recordAudit(tx, ctx, { action: "creative.restored", targets });
      return creativeOf(row);
    });
  },
});
