import { z } from "zod";
import { nanosToMicros } from "../../kernel/money";
import type { AdsCtx } from "../ads-ctx";
import { ownCampaign } from "../campaigns/campaign";
import { id } from "../fields";
import { campaignDay } from "./campaign-day";
import { spendByDay, spendBySlot } from "./campaign-spend.sql";

const DAYS_MAX = 60;

export const GetCampaignSpend = z.strictObject({ id });

/** Money in micros of the billing currency; days and the day's ends are those of the campaign's time zone. */
export interface CampaignSpend {
  /** Today there, such as 2026-11-20, and when it begins and ends. */
  day: string;
  day_from: string;
  day_to: string;
  today_micros: number;
  total_micros: number;
  /** Of today, the quarter hours in which anything was spent, oldest first; reports show them within seconds. */
  slots: { at: string; spend_micros: number }[];
  /** Of the last 60 days, those on which anything was spent, oldest first. */
  days: { day: string; spend_micros: number }[];
}

/** What a campaign was charged, today by the quarter hour and before that by the day. Throws `not_found`. */
export async function getCampaignSpend(ctx: AdsCtx, input: z.output<typeof GetCampaignSpend>): Promise<CampaignSpend> {
  const campaign = await ownCampaign(ctx, input.id);
  const { day, fromMs, toMs } = campaignDay(campaign.timezone, ctx.clock.now().getTime());
  const owner = { tenantId: ctx.actor.tenantId, mode: campaign.mode, campaignId: campaign.id };
  const [days, slots] = await Promise.all([
    spendByDay(ctx.sql, campaign.id),
    spendBySlot(ctx.clickhouse, owner, { fromMs, toMs }),
  ]);
  const total = days.reduce((sum, { nanos }) => sum + nanos, 0n);
  return {
    day,
    day_from: new Date(fromMs).toISOString(),
    day_to: new Date(toMs).toISOString(),
    today_micros: micros(days.find((one) => one.day === day)?.nanos ?? 0n),
    total_micros: micros(total),
    slots: slots.map(({ atMs, nanos }) => ({ at: new Date(atMs).toISOString(), spend_micros: micros(nanos) })),
    days: days.slice(-DAYS_MAX).map((one) => ({ day: one.day, spend_micros: micros(one.nanos) })),
  };
}

const micros = (nanos: bigint): number => Number(nanosToMicros(nanos));
