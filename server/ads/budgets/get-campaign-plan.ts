import { z } from "zod";
import { nanosToMicros } from "../../kernel/money";
import type { AdsCtx } from "../ads-ctx";
import { type Campaign, campaignOf, ownCampaign } from "../campaigns/campaign";
import { id } from "../fields";
import { type CampaignDay, campaignDay } from "./campaign-day";
import { spendByDay } from "./campaign-spend.sql";
import { loadTrafficProfiles } from "./load-traffic-profiles";
import type { TrafficProfile } from "./traffic-profile";

const HOUR_MS = 3_600_000;

export const GetCampaignPlan = z.strictObject({ id });

/** What should have been spent of today's budget by each moment, in micros; it begins at 0 and ends at the budget. */
export interface CampaignPlan {
  points: { at: string; planned_micros: number }[];
}

/**
 * How even pacing would spread today's budget over the day's traffic, as the last seven days showed it: the daily
 * budget, or today's part of what was left of the total one when the day began, whichever is less. Without points for
 * a campaign that has nothing to spread (no daily budget, and no total one with an end), spends as soon as it can, or
 * does not run today. Throws `not_found`.
 */
export async function getCampaignPlan(ctx: AdsCtx, input: z.output<typeof GetCampaignPlan>): Promise<CampaignPlan> {
  const campaign = campaignOf(await ownCampaign(ctx, input.id), ctx.currency);
  const now = ctx.clock.now();
  const today = todayOf(campaign, now.getTime());
  if (!today || !isSpread(campaign)) return { points: [] };
  const [profiles, spent] = await Promise.all([
    loadTrafficProfiles(ctx.clickhouse, now),
    spendByDay(ctx.sql, campaign.id),
  ]);
  const profile = profiles.of({
    tenantId: ctx.actor.tenantId,
    reach: campaign.reach,
    targeting: { channels: campaign.targeting.channels, geos: campaign.targeting.geos },
  });
  const spentBefore = spent.reduce((sum, { day, nanos }) => (day < today.day ? sum + nanos : sum), 0n);
  const budget = budgetOf(campaign, { ...today, profile, spentMicros: Number(nanosToMicros(spentBefore)) });
  const { fromMs, toMs } = today;
  const whole = profile.daysBetween(fromMs, toMs);
  const points = momentsBetween(fromMs, toMs).map((atMs) => ({
    at: new Date(atMs).toISOString(),
    planned_micros: whole > 0 ? Math.round((budget * profile.daysBetween(fromMs, atMs)) / whole) : 0,
  }));
  return { points };
}

const isSpread = ({ pacing, daily_budget_micros, total_budget_micros, ends_at }: Campaign): boolean =>
  pacing === "even" && (daily_budget_micros !== null || (total_budget_micros !== null && ends_at !== null));

/** Of the campaign's day, what lies between its start and its end; undefined when nothing does. */
function todayOf({ timezone, starts_at, ends_at }: Campaign, nowMs: number): CampaignDay | undefined {
  const { day, fromMs, toMs } = campaignDay(timezone, nowMs);
  const today = {
    day,
    fromMs: Math.max(fromMs, starts_at === null ? fromMs : Date.parse(starts_at)),
    toMs: Math.min(toMs, ends_at === null ? toMs : Date.parse(ends_at)),
  };
  return today.fromMs < today.toMs ? today : undefined;
}

interface Today extends CampaignDay {
  profile: TrafficProfile;
  /** Before today. */
  spentMicros: number;
}

function budgetOf(campaign: Campaign, { fromMs, toMs, profile, spentMicros }: Today): number {
  const { daily_budget_micros: daily, total_budget_micros: total, ends_at } = campaign;
  const budgets = daily === null ? [] : [daily];
  if (total !== null && ends_at !== null) {
    const ahead = profile.daysBetween(fromMs, Date.parse(ends_at));
    budgets.push((Math.max(0, total - spentMicros) * profile.daysBetween(fromMs, toMs)) / ahead);
  }
  return Math.min(...budgets);
}

function momentsBetween(fromMs: number, toMs: number): number[] {
  const moments: number[] = [];
  for (let at = fromMs; at < toMs; at += HOUR_MS) moments.push(at);
  return [...moments, toMs];
}
