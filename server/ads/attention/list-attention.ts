import { z } from "zod";
import { modeOf } from "../../operation/actor";
import { exampleId } from "../../operation/example";
import { operation } from "../ads-operation";
import { readBuyer } from "../network/buyers.sql";
import { type NetworkBuyer, networkBlocks } from "../network/network-blocks";
import { Attention } from "./attention";
import {
  type CampaignState,
  type ChannelTraffic,
  campaignStates,
  channelTraffic,
  type KeyedChannel,
  keyedChannels,
} from "./attention.sql";
import type { AttentionCtx } from "./attention-ctx";

const DAY_MS = 86_400_000;
/**
 * Every page has some invalid traffic: industry reports find 10 to 20 % on open display. A higher share is specific to
 * the page.
 */
const INVALID_SHARE_MAX = 0.3;
/** The share is not computed from fewer events. */
const EVENTS_MIN = 50;
const NO_TRAFFIC: ChannelTraffic = { weekRequests: 0, dayRequests: 0, valid: 0, invalid: 0 };

/**
 * Lists problems that keep campaigns from serving and channels from earning. Campaigns are listed if they are active
 * but their budget is spent, they are past their end, they have nothing to serve, or their network reach is blocked.
 * Channels are listed if they have a key but had no requests for a day or a week, or if more than 30 % of at least 50
 * events of the last day do not count. Campaigns come first, newest first; one record may appear more than once.
 */
export const listAttention = operation({
  id: "listAttention",
  summary: "List problems of campaigns and channels",
  access: "ads:read",
  input: z.strictObject({ mode: z.enum(["test", "live"]).optional() }),
  output: z.array(Attention),
  example: {
    input: { mode: "live" },
    output: [{ kind: "quiet_channel", noun: "channel", id: exampleId("chn"), name: "Outdoor magazine", share: null }],
  },
  run: async (ctx: AttentionCtx, input) => {
    const requested = { tenantId: ctx.actor.tenantId, mode: modeOf(ctx.actor, input.mode), now: ctx.clock.now() };
    const [campaigns, buyer, channels, traffic] = await Promise.all([
      campaignStates(ctx.sql, requested),
      readBuyer(ctx.db, requested.tenantId),
      keyedChannels(ctx.sql, requested),
      channelTraffic(ctx.clickhouse, requested),
    ]);
    return [
      ...campaigns.flatMap((campaign) => ofCampaign(campaign, buyer, ctx.automaticReview)),
      ...channels.flatMap((channel) => ofChannel(channel, traffic.get(channel.id) ?? NO_TRAFFIC, requested.now)),
    ];
  },
});

/** One reason per campaign: the one that must be fixed first. */
function ofCampaign({ id, name, ...state }: CampaignState, buyer: NetworkBuyer, automaticReview: boolean): Attention[] {
  const kind = state.isPastEnd
    ? "past_end"
    : !state.hasItems
      ? "nothing_to_serve"
      : state.isTotalSpent
        ? "total_budget_spent"
        : state.isDaySpent
          ? "daily_budget_spent"
          : state.reach === "network" &&
            networkBlocks(state, { isApproved: automaticReview || state.isReviewed }, buyer)[0];
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
