import { setImmediate as nextTurn } from "node:timers/promises";
import type { Pool } from "pg";
import { NANOS_PER_MICRO, nanosPerEvent } from "../../kernel/money";
import type { ServingState } from "../matching/serving-state";
import type { ServingCampaign } from "../serving/serving";
import type { ExpectedSpend, SharedPending } from "./expected-spend";
import { LocalDays } from "./local-days";
import { addPending, readSpend } from "./spend.sql";

/** Yields to the event loop after this long. */
const CAMPAIGNS_PER_TURN = 1000;

export interface CampaignSpend {
  spentTodayNanos: bigint;
  spentTotalNanos: bigint;
  /** The expected remaining cost of served offers. */
  pendingNanos?: number | undefined;
}

/** Returns the campaign with its spend and whether its budget is used up; the same object if nothing changed. */
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
 * A budget is used up when the next event would exceed it, or when expected events of served offers may use the rest:
 * their mean plus one standard deviation, because events are random (a Poisson count).
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
 * Writes this process's expected spend for the other processes, and reads what campaigns with a budget have spent today
 * (in each campaign's time zone), in total, and are expected to spend.
 */
export async function refreshSpend(
  sql: Pool,
  { state, expected }: { state: ServingState; expected: ExpectedSpend },
  now: Date,
): Promise<void> {
  const budgeted = [...state.campaigns()].filter(hasBudget);
  if (budgeted.length === 0) return;
  const days = new LocalDays();
  const requested = budgeted.map(({ id, timezone }) => ({ id, day: days.of(timezone, now.getTime()).day }));
  const rows = await exchange(sql, { expected, requested }, now);
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
  { expected, requested }: { expected: ExpectedSpend; requested: { id: string; day: string }[] },
  now: Date,
) {
  const pending = expected.take();
  try {
    if (pending.size > 0) await addPending(sql, pending, now);
  } catch (failure) {
    expected.keep();
    throw failure;
  }
  const rows = await readSpend(sql, requested);
  const shared = new Map<string, SharedPending>();
  for (const { id, pending: nanos, served: servedNanos, pendingAt } of rows) {
    if (nanos !== null && servedNanos !== null && pendingAt)
      shared.set(id, { nanos, servedNanos, atMs: pendingAt.getTime() });
  }
  expected.reconcile(shared);
  return rows;
}
