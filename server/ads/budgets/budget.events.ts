import { z } from "zod";
import { eventKind } from "../../operation/event-kind";
import { exampleId } from "../../operation/example";

const BudgetSpend = z.object({
  campaign_id: z.string(),
  campaign_name: z.string(),
  advertiser_id: z.string(),
  budget: z.enum(["daily", "total"]),
  day: z.string().nullable().describe("The day of a daily budget, in the campaign's time zone"),
  timezone: z.string(),
  currency: z.string(),
  budget_micros: z.int(),
  spent_micros: z.int(),
});

const example = {
  campaign_id: exampleId("cmp"),
  campaign_name: "Autumn trail shoes",
  advertiser_id: exampleId("adv"),
  budget: "daily" as const,
  day: "2026-11-20",
  timezone: "Europe/Oslo",
  currency: "USD",
  budget_micros: 50_000_000,
  spent_micros: 49_800_000,
};

export const THRESHOLD_PERCENT = 80;

export const budgetThresholdCrossed = eventKind({
  type: "campaign.budget_threshold_crossed",
  description: `A campaign has spent ${THRESHOLD_PERCENT} % of a daily or total budget; at most once for each budget and day.`,
  data: BudgetSpend.extend({ threshold_percent: z.int() }),
  example: { ...example, spent_micros: 40_100_000, threshold_percent: THRESHOLD_PERCENT },
});

export const budgetExhausted = eventKind({
  type: "campaign.budget_exhausted",
  description:
    "What is left of a daily or total budget of a campaign is less than its bid; at most once for each budget and day.",
  data: BudgetSpend,
  example,
});

export const budgetEventKinds = [budgetThresholdCrossed, budgetExhausted];
