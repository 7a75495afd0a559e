import type { Pool } from "pg";
import { NANOS_PER_MICRO, nanosPerEvent } from "../../kernel/money";
import { CAMPAIGN_SPEND } from "./catalog.sql";
import type { ServingCampaign } from "./serving";
import type { ServingState } from "./serving-state";

/** A campaign with what it has spent; its budget is used up when the next event would not fit any more. */
export function withSpend(
  campaign: ServingCampaign,
  spentTodayNanos: bigint,
  spentTotalNanos: bigint,
): ServingCampaign {
  const next = nanosPerEvent(campaign.model, campaign.bidMicros);
  const isOver = (budgetMicros: bigint | undefined, spentNanos: bigint) =>
    budgetMicros !== undefined && spentNanos + next > budgetMicros * NANOS_PER_MICRO;
  const budgetSpent =
    isOver(campaign.dailyBudgetMicros, spentTodayNanos) || isOver(campaign.totalBudgetMicros, spentTotalNanos);
  return { ...campaign, spentTodayNanos, spentTotalNanos, budgetSpent };
}

/** Reads what campaigns with a budget have spent today (in each one's time zone) and ever. */
export async function refreshSpend(sql: Pool, state: ServingState, now: Date): Promise<void> {
  const budgeted = [...state.campaigns()].filter(
    ({ dailyBudgetMicros, totalBudgetMicros }) => dailyBudgetMicros !== undefined || totalBudgetMicros !== undefined,
  );
  if (budgeted.length === 0) return;
  const dayIn = dayByZone(now);
  const values = [budgeted.map(({ id }) => id), budgeted.map(({ timezone }) => dayIn(timezone))];
  const { rows } = await sql.query<{ id: string; today: string; total: string }>(CAMPAIGN_SPEND, values);
  const spent = new Map(rows.map((row) => [row.id, row]));
  for (const { id } of budgeted) {
    const campaign = state.campaign(id);
    const { today, total } = spent.get(id) ?? { today: "0", total: "0" };
    if (campaign) state.updateSpend(withSpend(campaign, BigInt(today), BigInt(total)));
  }
}

/** The calendar day, as YYYY-MM-DD, that it is at `now` in a time zone; UTC's for an unknown zone. */
function dayByZone(now: Date): (timezone: string) => string {
  const days = new Map<string, string>();
  return (timezone) => {
    const day = days.get(timezone) ?? dayIn(timezone, now);
    days.set(timezone, day);
    return day;
  };
}

export function dayIn(timezone: string, now: Date): string {
  try {
    return new Intl.DateTimeFormat("en-CA", { timeZone: timezone, dateStyle: "short" }).format(now);
  } catch {
    return now.toISOString().slice(0, 10);
  }
}
