import { z } from "zod";
import { nanosToMicros } from "../../kernel/money";
import { modeOf } from "../../operation/actor";
import { exampleId } from "../../operation/example";
import { operation } from "../ads-operation";
import { id, mode, modeChoice } from "../fields";
import { ownRowsOfMode } from "../own-rows";
import type { NetworkChannelCtx } from "./network-channel-ctx";
import { type ChannelFigures, figuresByChannel } from "./network-channels.sql";

const DAYS = 30;
const DAY_MS = 24 * 60 * 60 * 1000;
const CHANNELS_MAX = 200;
/** A tenant's quota allows far fewer; the limit bounds what this query reads. */
const ADVERTISERS_READ_MAX = 1000;

const Count = z.int().min(0);

/** A channel of another publisher, as shown to a buyer. */
export const NetworkChannel = z
  .object({
    id: z
      .string()
      .describe("Valid for this tenant only; use it in `blocked_channels` of an advertiser")
      .meta({ examples: ["nch_5f0c7a3b9d1e4f628a7b6c5d4e3f2a10"] }),
    impressions: Count.describe("Invalid traffic excluded"),
    invalid_impressions: Count,
    clicks: Count.describe("Invalid traffic excluded"),
    invalid_clicks: Count,
    ctr: z.number().nullable().describe("clicks / impressions; null without impressions"),
    spend_micros: Count.describe("Charges minus reversals"),
    conversions: Count,
    blocked: z.boolean().describe("By the requested advertiser, or by all of the tenant's advertisers"),
  })
  .meta({ id: "NetworkChannel" });

export const NetworkChannels = z.object({
  mode,
  currency: z.string(),
  from: z.iso.date().describe("First UTC day of the figures; the last day is today"),
  data: z.array(NetworkChannel).describe(`The ${CHANNELS_MAX} with the highest spend`),
  truncated: z.boolean().describe("True if there are more channels"),
});
export type NetworkChannels = z.output<typeof NetworkChannels>;

export const ListNetworkChannels = z.strictObject({
  mode: modeChoice,
  advertiser_id: id.optional().describe("Limits the figures to this advertiser's campaigns"),
});

type ListCtx = Pick<NetworkChannelCtx, "actor" | "channelRefs" | "clickhouse" | "clock" | "currency" | "db">;

/**
 * Lists the channels of other publishers where the tenant's campaigns appeared in the last 30 days, without their names
 * or ids. The tenant's own channels are excluded.
 */
export const listNetworkChannels = operation({
  id: "listNetworkChannels",
  summary: "List channels of other publishers where campaigns appeared",
  access: "ads:read",
  cost: "report",
  input: ListNetworkChannels,
  output: NetworkChannels,
  example: {
    input: { advertiser_id: exampleId("adv") },
    output: {
      mode: "live",
      currency: "USD",
      from: "2026-10-21",
      truncated: false,
      data: [
        {
          id: "nch_5f0c7a3b9d1e4f628a7b6c5d4e3f2a10",
          impressions: 800,
          invalid_impressions: 12,
          clicks: 24,
          invalid_clicks: 1,
          ctr: 0.03,
          spend_micros: 9_600_000,
          conversions: 2,
          blocked: false,
        },
      ],
    },
  },
  run: async (ctx: ListCtx, input) => {
    const { tenantId } = ctx.actor;
    const requestedMode = modeOf(ctx.actor, input.mode);
    const fromDay = firstDay(ctx);
    const terms = {
      tenantId,
      mode: requestedMode,
      advertiserId: input.advertiser_id ?? "",
      fromDay,
      limit: CHANNELS_MAX + 1,
    };
    const [figures, isBlocked] = await Promise.all([figuresByChannel(ctx.clickhouse, terms), blocksOf(ctx, input)]);
    return {
      mode: requestedMode,
      currency: ctx.currency,
      from: fromDay,
      data: figures.slice(0, CHANNELS_MAX).map((one) => {
        const ref = ctx.channelRefs.of(tenantId, one.channelId);
        return { id: ref, ...wireFigures(one), blocked: isBlocked(ref) };
      }),
      truncated: figures.length > CHANNELS_MAX,
    };
  },
});

/** The first day of the 30-day period, which ends with today (UTC). */
export const firstDay = ({ clock }: Pick<NetworkChannelCtx, "clock">): string =>
  new Date(clock.now().getTime() - DAYS * DAY_MS).toISOString().slice(0, 10);

async function blocksOf(
  { db, actor }: ListCtx,
  input: z.output<typeof ListNetworkChannels>,
): Promise<(ref: string) => boolean> {
  const rows = await db.advertiser.findMany({
    where: {
      ...ownRowsOfMode(actor),
      mode: modeOf(actor, input.mode),
      ...(input.advertiser_id !== undefined && { id: input.advertiser_id }),
    },
    select: { blockedChannels: true },
    take: ADVERTISERS_READ_MAX,
  });
  const lists = rows.map(({ blockedChannels }) => new Set(blockedChannels));
  return (ref) => lists.length > 0 && lists.every((list) => list.has(ref));
}

const wireFigures = ({ impressions, invalidImpressions, clicks, invalidClicks, ...rest }: ChannelFigures) => ({
  impressions,
  invalid_impressions: invalidImpressions,
  clicks,
  invalid_clicks: invalidClicks,
  ctr: impressions === 0 ? null : clicks / impressions,
  spend_micros: Number(nanosToMicros(rest.spendNanos)),
  conversions: rest.conversions,
});
