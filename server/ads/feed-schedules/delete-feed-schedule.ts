import { z } from "zod";
import { recordAudit } from "../../identity/audit/record-audit";
import type { ActorCtx } from "../../identity/identity-ctx";
import { operation } from "../ads-operation";
import { campaignTarget, ownCampaign } from "../campaigns/campaign";
import { id } from "../fields";
import { loggedUrl, noSchedule } from "./feed-schedule";
import { feedScheduleExample } from "./feed-schedule.example";

/**
 * Deletes a campaign's feed schedule with its credentials. A running fetch stops; products stay. Throws `not_found` for
 * the campaign and if it has no schedule.
 */
export const deleteFeedSchedule = operation({
  id: "deleteFeedSchedule",
  summary: "Delete a campaign's feed schedule; its products stay",
  access: "ads:write",
  input: z.strictObject({ id }),
  output: z.void(),
  example: { input: { id: feedScheduleExample.campaign_id }, output: undefined },
  run: async (ctx: ActorCtx, input) => {
    const campaign = await ownCampaign(ctx, input.id);
    await ctx.db.$transaction(async (tx) => {
      const row = await tx.feedSchedule.findUnique({ where: { campaignId: campaign.id } });
      const { count } = await tx.feedSchedule.deleteMany({ where: { campaignId: campaign.id } });
      if (!row || count === 0) throw noSchedule();
      const details = { url: loggedUrl(row.url) };
      await recordAudit(tx, ctx, { action: "feed_schedule.deleted", targets: [campaignTarget(campaign)], details });
    });
  },
});
