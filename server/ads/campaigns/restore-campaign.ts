import { z } from "zod";
import type { Prisma } from "../../engines/postgres/generated/client";
import { recordAudit } from "../../identity/audit/record-audit";
import type { ActorCtx } from "../../identity/identity-ctx";
import { assertQuota } from "../../identity/quotas/assert-quota";
import { lockLimit } from "../../identity/quotas/quota.sql";
import { ServiceError } from "../../kernel/errors";
import { operation } from "../ads-operation";
import { id } from "../fields";
import { assertInstallationHasRoom } from "../quotas/installation-limit";
import { itemsOfCampaign } from "../quotas/item-counts.sql";
import { ITEM_QUOTAS } from "../quotas/item-quotas";
import { Campaign, campaignOf, campaignTarget, ownCampaignOrArchived } from "./campaign";
import { campaignEvent, campaignRestored } from "./campaign.events";
import { campaignExample } from "./campaign.example";
import { lockAdvertiser, lockCampaign } from "./campaign.sql";
import type { CampaignCtx } from "./campaign-ctx";
import { CAMPAIGNS_QUOTA } from "./campaigns.quotas";
import { toCampaign } from "./to-campaigns";

/**
 * Restores an archived campaign as it was: with its status, creatives, products and feed schedule. A campaign that is
 * not archived is returned unchanged. Throws `not_found`, `conflict` while its advertiser is archived, and
 * `quota_exceeded`, because archived campaigns and their items do not count against quotas.
 */
export const restoreCampaign = operation({
  id: "restoreCampaign",
  summary: "Restore an archived campaign",
  description:
    "The campaign has the status that it had, so an active one serves again. A campaign that is not archived is returned unchanged.",
  access: "ads:write",
  input: z.strictObject({ id }),
  output: Campaign,
  example: { input: { id: campaignExample.id }, output: campaignExample },
  run: async (ctx: ActorCtx & Pick<CampaignCtx, "automaticReview" | "currency" | "itemsMax">, input) => {
    const { db, clock, actor } = ctx;
    const restored = await db.$transaction(async (tx) => {
      // Before the campaign, in the same order as creations, so that the two cannot deadlock.
      await lockLimit(tx, actor.tenantId, CAMPAIGNS_QUOTA.resource);
      await lockCampaign(tx, input.id);
      const before = await ownCampaignOrArchived({ db: tx, actor }, input.id);
      if (before.archivedAt === null) return before;
      await requireAdvertiser(tx, before.advertiserId);
      await assertRoom(tx, ctx, before.id);
      const row = await tx.campaign.update({
        where: { id: before.id },
        data: { archivedAt: null, updatedAt: clock.now() },
      });
      const events = [campaignEvent(campaignRestored, campaignOf(row, ctx.currency))];
      await recordAudit(tx, ctx, { action: "campaign.restored", targets: [campaignTarget(row)], events });
      return row;
    });
    return toCampaign(ctx, restored);
  },
});

async function requireAdvertiser(tx: Prisma.TransactionClient, advertiserId: string): Promise<void> {
  await lockAdvertiser(tx, advertiserId);
  if ((await tx.advertiser.count({ where: { id: advertiserId, archivedAt: null } })) > 0) return;
  throw new ServiceError("conflict", "The advertiser of this campaign is archived; restore the advertiser first.", {
    param: "id",
    details: { reason: "advertiser_archived", advertiser_id: advertiserId },
  });
}

/** The campaign's items count again too. */
async function assertRoom(
  tx: Prisma.TransactionClient,
  ctx: ActorCtx & Pick<CampaignCtx, "itemsMax">,
  campaignId: string,
): Promise<void> {
  const { tenantId } = ctx.actor;
  const { creatives, products } = await itemsOfCampaign(tx, campaignId);
  await assertQuota(tx, { tenantId }, CAMPAIGNS_QUOTA);
  await assertQuota(tx, { tenantId, adding: creatives }, ITEM_QUOTAS.creatives);
  await assertQuota(tx, { tenantId, adding: products }, ITEM_QUOTAS.products);
  await assertInstallationHasRoom(tx, ctx, creatives + products);
}
