import { z } from "zod";
import { nanosToMicros } from "../../kernel/money";
import { exampleId } from "../../operation/example";
import { operation } from "../ads-operation";
import { type CampaignFields, campaignOf, ownCampaign } from "../campaigns/campaign";
import { id } from "../fields";
import type { BudgetCtx } from "./budget-ctx";
import { type CampaignDay, campaignDay } from "./campaign-day";
import { spentBefore } from "./campaign-spend.sql";
import { loadTrafficProfiles } from "./load-traffic-profiles";
import type { TrafficProfile } from "./traffic-profile";

const HOUR_MS = 3_600_000;

/** What should have been spent of today's budget by each time, in micros, from 0 to the whole budget. */
export const CampaignPlan = z.object({
  points: z.array(z.object({ at: z.iso.datetime(), planned_micros: z.int() })),
});

/**
 * How even pacing would spread today's budget over the day's traffic, based on the last seven days: the daily budget,
 * or today's share of the total budget that was left at the start of the day, whichever is less. Returns no points if
 * the campaign has nothing to spread (neither a daily budget nor a total budget with an end), serves as fast as
 * possible, or does not run today. Throws `not_found`.
 */
export const getCampaignPlan = operation({
  id: "getCampaignPlan",
  summary: "Get how today's budget is spread over the day",
  access: "ads:read",
  input: z.strictObject({ id }),
  output: CampaignPlan,
  example: {
    input: { id: exampleId("cmp") },
    output: { points: [{ at: "2026-11-20T09:00:00.000Z", planned_micros: 2_900_000 }] },
  },
  run: async (ctx: BudgetCtx, input) => {
    const campaign = campaignOf(await ownCampaign(ctx, input.id), ctx.currency);
    const now = ctx.clock.now();
    const today = todayOf(campaign, now.getTime());
    if (!today || !isSpread(campaign)) return { points: [] };
    const [profiles, spent] = await Promise.all([
      loadTrafficProfiles(ctx.clickhouse, now),
      spentBefore(ctx.sql, campaign.id, today.day),
    ]);
    const profile = profiles.of({
      tenantId: ctx.actor.tenantId,
      reach: campaign.reach,
      targeting: { channels: campaign.targeting.channels, geos: campaign.targeting.geos },
    });
    const budget = budgetOf(campaign, { ...today, profile, spentMicros: Number(nanosToMicros(spent)) });
    const { fromMs, toMs } = today;
    const whole = profile.daysBetween(fromMs, toMs);
    const points = momentsBetween(fromMs, toMs).map((atMs) => ({
      at: new Date(atMs).toISOString(),
      planned_micros: whole > 0 ? Math.round((budget * profile.daysBetween(fromMs, atMs)) / whole) : 0,
    }));
    return { points };
  },
});

const isSpread = ({ pacing, daily_budget_micros, total_budget_micros, ends_at }: CampaignFields): boolean =>
  pacing === "even" && (daily_budget_micros !== null || (total_budget_micros !== null && ends_at !== null));

/** The part of the campaign's day between its start and its end; undefined if there is none. */
function todayOf({ timezone, starts_at, ends_at }: CampaignFields, nowMs: number): CampaignDay | undefined {
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
  /** Spend before today. */
  spentMicros: number;
}

function budgetOf(campaign: CampaignFields, { fromMs, toMs, profile, spentMicros }: Today): number {
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
