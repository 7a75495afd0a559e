import { z } from "zod";
import { modeOf } from "../../identity/actors/actor";
import type { AdsCtx } from "../ads-ctx";
import type { Attention } from "./attention";
import {
  type CampaignState,
  type ChannelTraffic,
  campaignStates,
  channelTraffic,
  type KeyedChannel,
  keyedChannels,
} from "./attention.sql";

const DAY_MS = 86_400_000;
/** Some invalid traffic is on every page: industry reports find 10 to 20 % on open display; above this it is the page's own. */
const INVALID_SHARE_MAX = 0.3;
/** Fewer events make no share. */
const EVENTS_MIN = 50;
const NO_TRAFFIC: ChannelTraffic = { weekRequests: 0, dayRequests: 0, valid: 0, invalid: 0 };

export const ListAttention = z.strictObject({ mode: z.enum(["test", "live"]).optional() });

/**
 * What keeps the tenant's campaigns from serving and its channels from earning: active campaigns whose budget is spent,
 * whose end has passed or that have nothing to serve; channels with a key that went quiet for a day, that never asked
 * in the week, or where more than 30 % of at least 50 impressions and clicks of the last day do not count. Campaigns
 * first, newest first; one subject may stand there more than once.
 */
export async function listAttention(ctx: AdsCtx, input: z.output<typeof ListAttention>): Promise<Attention[]> {
  const asked = { tenantId: ctx.actor.tenantId, mode: modeOf(ctx.actor, input.mode), now: ctx.clock.now() };
  const [campaigns, channels, traffic] = await Promise.all([
    campaignStates(ctx.sql, asked),
    keyedChannels(ctx.sql, asked),
    channelTraffic(ctx.clickhouse, asked),
  ]);
  return [
    ...campaigns.flatMap(ofCampaign),
    ...channels.flatMap((channel) => ofChannel(channel, traffic.get(channel.id) ?? NO_TRAFFIC, asked.now)),
  ];
}

/** One reason a campaign, the one that has to be mended first. */
function ofCampaign({ id, name, ...state }: CampaignState): Attention[] {
  const kind = state.isPastEnd
    ? "past_end"
    : !state.hasItems
      ? "nothing_to_serve"
      : state.isTotalSpent
        ? "total_budget_spent"
        : state.isDaySpent && "daily_budget_spent";
  return kind ? [{ kind, noun: "campaign", id, name, share: null }] : [];
}

function ofChannel({ id, name, keyedAt }: KeyedChannel, traffic: ChannelTraffic, now: Date): Attention[] {
  const { weekRequests, dayRequests, valid, invalid } = traffic;
  const channel = { noun: "channel", id, name } as const;
  const found: Attention[] = [];
  if (weekRequests > 0 && dayRequests === 0) found.push({ ...channel, kind: "quiet_channel", share: null });
  if (weekRequests === 0 && now.getTime() - keyedAt.getTime() > DAY_MS) {
    found.push({ ...channel, kind: "unused_channel", share: null });
  }
  const share = invalid / Math.max(1, valid + invalid);
  if (valid + invalid >= EVENTS_MIN && share > INVALID_SHARE_MAX) {
    found.push({ ...channel, kind: "invalid_traffic", share });
  }
  return found;
}
