import { z } from "zod";
import { type EventKind, eventKind } from "../../../operation/event-kind";

export const budgetThresholdCrossed = eventKind({
  type: "budget.threshold_crossed",
  description:
    "The usage of a month, pods that still run included, has reached a percentage of the tenant's budget; once per month and threshold.",
  data: z.object({
    month: z.string(),
    percent: z.int(),
    amount_micros: z.int(),
    spent: z.string().describe("Exact, in units of `currency`"),
    currency: z.string(),
    simulated: z.boolean(),
  }),
  example: {
    month: "2026-11",
    percent: 80,
    amount_micros: 500_000_000,
    spent: "400.012",
    currency: "USD",
    simulated: false,
  },
});

export const billingBudgetEventKinds: readonly EventKind[] = [budgetThresholdCrossed];
