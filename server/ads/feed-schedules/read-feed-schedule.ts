import { z } from "zod";
import { operation } from "../ads-operation";
import { ownCampaign } from "../campaigns/campaign";
import { id } from "../fields";
import { FeedSchedule, feedScheduleOf } from "./feed-schedule";
import { feedScheduleExample } from "./feed-schedule.example";
import type { FeedScheduleCtx } from "./feed-schedule-ctx";

/** Like `getFeedSchedule`, for pages: null for a campaign without a schedule. Throws `not_found` for the campaign. */
export const readFeedSchedule = operation({
  id: "readFeedSchedule",
  summary: "Get a campaign's feed schedule, if it has one",
  access: "ads:read",
  input: z.strictObject({ id }),
  output: z.object({ schedule: FeedSchedule.nullable() }),
  example: { input: { id: feedScheduleExample.campaign_id }, output: { schedule: feedScheduleExample } },
  run: async (ctx: Pick<FeedScheduleCtx, "db" | "actor">, input) => {
    const campaign = await ownCampaign(ctx, input.id);
    const row = await ctx.db.feedSchedule.findUnique({ where: { campaignId: campaign.id } });
    return { schedule: row && feedScheduleOf(row) };
  },
});
