import { z } from "zod";
import { recordAudit } from "../../identity/audit/record-audit";
import type { ActorCtx } from "../../identity/identity-ctx";
import { notFound } from "../../kernel/errors";
import { operation } from "../ads-operation";
import { id } from "../fields";
import { ownRowsOfMode } from "../own-rows";
import { campaignOf, campaignTarget } from "./campaign";
import { campaignArchived, campaignEvent } from "./campaign.events";
import { campaignExample } from "./campaign.example";
import type { CampaignCtx } from "./campaign-ctx";

/**
 * Archives a campaign. It stops serving, its creatives and products become unavailable, and its reports remain. Throws
 * `not_found`, also if it is already archived.
 */
export const deleteCampaign = operation({
  id: "deleteCampaign",
  summary: "Archive a campaign",
  access: "ads:write",
  input: z.strictObject({ id }),
  output: z.void(),
  example: { input: { id: campaignExample.id }, output: undefined },
  run: async (ctx: ActorCtx & Pick<CampaignCtx, "currency">, input) => {
    const { db, clock, actor } = ctx;
    const now = clock.now();
    await db.$transaction(async (tx) => {
      const [campaign] = await tx.campaign.updateManyAndReturn({
        where: { id: input.id, ...ownRowsOfMode(actor) },
        data: { archivedAt: now, updatedAt: now },
      });
      if (!campaign) throw notFound("campaign", input.id);
      const events = [campaignEvent(campaignArchived, campaignOf(campaign, ctx.currency))];
      await recordAudit(tx, ctx, { action: "campaign.archived", targets: [campaignTarget(campaign)], events });
    });
  },
});
