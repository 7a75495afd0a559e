import type { Pool } from "pg";
import { NANOS_PER_MICRO, nanosPerEvent } from "../../kernel/money";
import type { ExpectedSpend, SharedPending } from "../budgets/expected-spend";
import { addPending, readSpend } from "../budgets/spend.sql";
import type { ServingCampaign } from "./serving";
import type { ServingState } from "./serving-state";

/** Then requests get their turn. */
const CAMPAIGNS_PER_TURN = 1000;

export interface CampaignSpend {
  spentTodayNanos: bigint;
  spentTotalNanos: bigint;
  /** What served offers are still expected to cost. */
  pendingNanos?: number | undefined;
}

/** A campaign with what it has spent and whether that uses its budget up; the same one when nothing is new. */
export function withSpend(campaign: ServingCampaign, spend: CampaignSpend): ServingCampaign {
  const { spentTodayNanos, spentTotalNanos, pendingNanos = 0 } = spend;
  const budgetSpent = isBudgetSpent(campaign, { spentTodayNanos, spentTotalNanos, pendingNanos });
  const isSame =
    campaign.spentTodayNanos === spentTodayNanos &&
    campaign.spentTotalNanos === spentTotalNanos &&
    campaign.budgetSpent === budgetSpent;
  return isSame ? campaign : { ...campaign, spentTodayNanos, spentTotalNanos, budgetSpent };
}

/**
 * A budget is used up when the next event would not fit any more, or when what is expected of served offers may already
 * take the rest: their mean and, since events come at random, one standard deviation (that of a Poisson count).
 */
export function isBudgetSpent(
  { model, bidMicros, dailyBudgetMicros, totalBudgetMicros }: ServingCampaign,
  { spentTodayNanos, spentTotalNanos, pendingNanos = 0 }: CampaignSpend,
): boolean {
  const next = nanosPerEvent(model, bidMicros);
  const expected = pendingNanos + Math.sqrt(pendingNanos * Number(next));
  const isOver = (budgetMicros: bigint | undefined, spentNanos: bigint) => {
    if (budgetMicros === undefined) return false;
    const left = budgetMicros * NANOS_PER_MICRO - spentNanos;
    return left < next || Number(left) < expected;
  };
  return isOver(dailyBudgetMicros, spentTodayNanos) || isOver(totalBudgetMicros, spentTotalNanos);
}

export const hasBudget = ({ dailyBudgetMicros, totalBudgetMicros }: ServingCampaign): boolean =>
  dailyBudgetMicros !== undefined || totalBudgetMicros !== undefined;

/**
 * Tells the other processes what this one is expected to spend, and reads what campaigns with a budget have spent today
 * (in each one's time zone), ever, and are expected to spend.
 */
export async function refreshSpend(
  sql: Pool,
  { state, expected }: { state: ServingState; expected: ExpectedSpend },
  now: Date,
): Promise<void> {
  const budgeted = [...state.campaigns()].filter(hasBudget);
  if (budgeted.length === 0) return;
  const day = dayByZone(now);
  const asked = budgeted.map(({ id, timezone }) => ({ id, day: day(timezone) }));
  const rows = await exchange(sql, { expected, asked }, now);
  for (const [i, { id, today, total }] of rows.entries()) {
    if (i % CAMPAIGNS_PER_TURN === CAMPAIGNS_PER_TURN - 1) await nextTurn();
    const campaign = state.campaign(id);
    const pendingNanos = expected.pendingNanos(id, now.getTime());
    const spend = { spentTodayNanos: BigInt(today), spentTotalNanos: BigInt(total), pendingNanos };
    if (campaign) state.updateSpend(withSpend(campaign, spend));
  }
}

async function exchange(
  sql: Pool,
  { expected, asked }: { expected: ExpectedSpend; asked: { id: string; day: string }[] },
  now: Date,
) {
  const pending = expected.take();
  try {
    if (pending.size > 0) await addPending(sql, pending, now);
  } catch (failure) {
    expected.keep();
    throw failure;
  }
  const rows = await readSpend(sql, asked);
  const shared = new Map<string, SharedPending>();
  for (const { id, pending: nanos, served: servedNanos, pendingAt } of rows) {
    if (nanos !== null && servedNanos !== null && pendingAt)
      shared.set(id, { nanos, servedNanos, atMs: pendingAt.getTime() });
  }
  expected.settle(shared);
  return rows;
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

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
