import { NANOS_PER_MICRO, nanosPerEvent, type PriceModel } from "../../kernel/money";
import { THRESHOLD_PERCENT } from "./budget.events";
import type { CampaignDay } from "./campaign-day";

export interface BudgetedCampaign {
  id: string;
  model: PriceModel;
  bidMicros: bigint;
  /** null: no limit. */
  dailyBudgetMicros: bigint | null;
  totalBudgetMicros: bigint | null;
  updatedAt: Date;
}

/** What a campaign spent, in nanos. */
export interface DaysSpend {
  today: bigint;
  yesterday: bigint;
  total: bigint;
}

export interface BudgetCrossing {
  campaignId: string;
  /** A day of the campaign's time zone, or "total". */
  period: string;
  level: "threshold" | "exhausted";
  budgetMicros: bigint;
  spentNanos: bigint;
}

/**
 * The thresholds that a campaign's spending has crossed today, yesterday (its last charges may be later than the last
 * look) and in total. A campaign that was not charged on these days crosses nothing, and yesterday counts only under
 * terms that were in force by its end.
 */
export function crossingsOf(
  campaign: BudgetedCampaign,
  { today, yesterday }: { today: CampaignDay; yesterday: CampaignDay },
  spend: DaysSpend,
): BudgetCrossing[] {
  const { dailyBudgetMicros: daily, totalBudgetMicros: total } = campaign;
  const wasInForce = campaign.updatedAt.getTime() < today.fromMs;
  const isCharged = spend.today > 0n || spend.yesterday > 0n;
  return [
    ...levelsOf(campaign, { period: today.day, budgetMicros: daily, spentNanos: spend.today }),
    ...(wasInForce
      ? levelsOf(campaign, { period: yesterday.day, budgetMicros: daily, spentNanos: spend.yesterday })
      : []),
    ...(isCharged ? levelsOf(campaign, { period: "total", budgetMicros: total, spentNanos: spend.total }) : []),
  ];
}

interface PeriodSpend {
  period: string;
  budgetMicros: bigint | null;
  spentNanos: bigint;
}

function levelsOf(
  { id: campaignId, model, bidMicros }: BudgetedCampaign,
  { period, budgetMicros, spentNanos }: PeriodSpend,
): BudgetCrossing[] {
  if (budgetMicros === null || spentNanos === 0n) return [];
  const budgetNanos = budgetMicros * NANOS_PER_MICRO;
  const at = { campaignId, period, budgetMicros, spentNanos };
  const isOver = spentNanos * 100n >= budgetNanos * BigInt(THRESHOLD_PERCENT);
  // As in serving: what is left cannot pay for another event.
  const isSpent = budgetNanos - spentNanos < nanosPerEvent(model, bidMicros);
  return [
    ...(isOver ? [{ ...at, level: "threshold" as const }] : []),
    ...(isSpent ? [{ ...at, level: "exhausted" as const }] : []),
  ];
}
