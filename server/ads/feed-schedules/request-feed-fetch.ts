import { z } from "zod";
import { recordAudit } from "../../identity/audit/record-audit";
import type { ActorCtx } from "../../identity/identity-ctx";
import { ServiceError } from "../../kernel/errors";
import { operation } from "../ads-operation";
import { campaignTarget, ownCampaign } from "../campaigns/campaign";
import { id } from "../fields";
import { FeedSchedule, feedScheduleOf, scheduleOf } from "./feed-schedule";
import { feedScheduleExample } from "./feed-schedule.example";
import { lockSchedule } from "./feed-schedule.sql";
import { earliestManualFetch } from "./fetch-times";

/**
 * Fetches a campaign's feed now, whether or not it changed; at the earliest a minute after the last fetch began
 * (`next_fetch_at` of the result). Resumes a paused schedule, which pauses again if this fetch fails. Throws `not_found`
 * for the campaign and if it has no schedule, and `conflict` (`fetch_running`) while a fetch runs.
 */
export const requestFeedFetch = operation({
  id: "requestFeedFetch",
  summary: "Fetch a campaign's feed now",
  access: "ads:write",
  result: "accepted",
  input: z.strictObject({ id }),
  output: FeedSchedule,
  example: { input: { id: feedScheduleExample.campaign_id }, output: feedScheduleExample },
  run: async (ctx: ActorCtx, input) => {
    const campaign = await ownCampaign(ctx, input.id);
    const now = ctx.clock.now();
    return ctx.db.$transaction(async (tx) => {
      await lockSchedule(tx, campaign.id);
      const before = await scheduleOf(tx, campaign.id);
      if (before.claim !== null) throw fetchRunning();
      const nextFetchAt = earliestManualFetch(now, before.startedAt);
      const data = { nextFetchAt, pausedAt: null, etag: null, lastModified: null, updatedAt: now };
      const row = await tx.feedSchedule.update({ where: { campaignId: campaign.id }, data });
      await recordAudit(tx, ctx, { action: "feed_schedule.fetch_requested", targets: [campaignTarget(campaign)] });
      return feedScheduleOf(row);
    });
  },
});

const fetchRunning = (): ServiceError =>
  new ServiceError("conflict", "A fetch of this feed is running; wait until it has ended.", {
    details: { reason: "fetch_running" },
  });
