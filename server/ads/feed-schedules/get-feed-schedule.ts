import { z } from "zod";
import { operation } from "../ads-operation";
import { ownCampaign } from "../campaigns/campaign";
import { id } from "../fields";
import { FeedSchedule, feedScheduleOf, scheduleOf } from "./feed-schedule";
import { feedScheduleExample } from "./feed-schedule.example";
import type { FeedScheduleCtx } from "./feed-schedule-ctx";

/**
 * Returns a campaign's feed schedule with the results of its last fetch and import. Throws `not_found` for the campaign,
 * and with the reason `no_feed_schedule` if it has none.
 */
export const getFeedSchedule = operation({
  id: "getFeedSchedule",
  summary: "Get a campaign's feed schedule and its last fetch",
  access: "ads:read",
  input: z.strictObject({ id }),
  output: FeedSchedule,
  example: { input: { id: feedScheduleExample.campaign_id }, output: feedScheduleExample },
  run: async (ctx: Pick<FeedScheduleCtx, "db" | "actor">, input) => {
    const campaign = await ownCampaign(ctx, input.id);
    return feedScheduleOf(await scheduleOf(ctx.db, campaign.id));
  },
});
