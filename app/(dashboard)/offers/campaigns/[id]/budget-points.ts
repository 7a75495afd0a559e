import { dayOf } from "../../../../format/dates";
import type { Outputs } from "../../../../trpc/client";
import type { Campaign } from "../campaign";

export type Spend = Outputs["getCampaignSpend"];
export type Plan = Outputs["getCampaignPlan"];

/** Sums up to the moment or to the end of the day `x`, in micros; `spent` is missing for what lies ahead, `planned` where there is no plan. */
export interface BudgetPoint extends Record<string, string | number> {
  x: string;
}

const STEP_MS = 15 * 60_000;
const DAY_MS = 86_400_000;

/** Today by the quarter hour: `x` is the moment in ISO 8601. */
export function dayPoints(spend: Spend, plan: Plan, now: Date): BudgetPoint[] {
  const [fromMs, toMs] = [Date.parse(spend.day_from), Date.parse(spend.day_to)];
  const spentAt = new Map(spend.slots.map(({ at, spend_micros }) => [Date.parse(at), spend_micros]));
  const points: BudgetPoint[] = [];
  let spent = 0;
  for (let at = fromMs; at <= toMs; at += STEP_MS) {
    spent += spentAt.get(at - STEP_MS) ?? 0;
    const isPast = at - STEP_MS < now.getTime();
    const planned = plannedAt(plan, at);
    points.push({
      x: new Date(at).toISOString(),
      ...(isPast && { spent }),
      ...(planned !== undefined && { planned }),
    });
  }
  return points;
}

/** The plan at a moment, on the line between its neighbours; undefined where there is no plan. */
function plannedAt({ points }: Plan, atMs: number): number | undefined {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return undefined;
  if (atMs <= Date.parse(first.at)) return first.planned_micros;
  const next = points.findIndex(({ at }) => Date.parse(at) >= atMs);
  const [before, after] = [points[next - 1], points[next]];
  if (!before || !after) return last.planned_micros;
  const [fromMs, toMs] = [Date.parse(before.at), Date.parse(after.at)];
  return before.planned_micros + ((after.planned_micros - before.planned_micros) * (atMs - fromMs)) / (toMs - fromMs);
}

type Period = Pick<Campaign, "starts_at" | "created_at" | "ends_at" | "total_budget_micros" | "timezone">;

/** Day by day since the first one on which anything was spent or planned, up to today or the campaign's end. */
export function periodPoints(spend: Spend, campaign: Period): BudgetPoint[] {
  const start = new Date(campaign.starts_at ?? campaign.created_at);
  const startDay = dayOf(start, campaign.timezone);
  const endDay = campaign.ends_at === null ? undefined : lastDayOf(campaign.ends_at, campaign.timezone);
  const from = [spend.days[0]?.day ?? spend.day, endDay ? startDay : spend.day].sort()[0] ?? spend.day;
  const to = endDay && endDay > spend.day ? endDay : spend.day;
  const spentOn = new Map(spend.days.map(({ day, spend_micros }) => [day, spend_micros]));
  // What lies before the days that are listed was spent all the same.
  let spent = spend.total_micros - spend.days.reduce((sum, { spend_micros }) => sum + spend_micros, 0);
  return daysFrom(from, to).map((day) => {
    spent += spentOn.get(day) ?? 0;
    const planned = periodPlanAt(campaign.total_budget_micros, { startDay, endDay }, day);
    return { x: day, ...(day <= spend.day && { spent }), ...(planned !== undefined && { planned }) };
  });
}

/** The day of the last moment before an end, since midnight begins the day after. */
const lastDayOf = (end: string, timezone: string): string => dayOf(new Date(Date.parse(end) - 1), timezone);

/** A total budget with an end is spread evenly over its days: what should be spent when `day` is over. */
function periodPlanAt(
  budget: number | null,
  { startDay, endDay }: { startDay: string; endDay: string | undefined },
  day: string,
): number | undefined {
  if (budget === null || endDay === undefined) return undefined;
  const share = daysFromTo(startDay, day) / daysFromTo(startDay, endDay);
  return Math.round(budget * Math.min(1, Math.max(0, share)));
}

/** Both days count. */
const daysFromTo = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;

const DAYS_MAX = 400;

function daysFrom(from: string, to: string): string[] {
  const count = Math.min(DAYS_MAX, daysFromTo(from, to));
  return Array.from({ length: Math.max(1, count) }, (_, i) =>
    new Date(Date.parse(from) + i * DAY_MS).toISOString().slice(0, 10),
  );
}
