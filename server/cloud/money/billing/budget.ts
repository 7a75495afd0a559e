import { z } from "zod";
import type { BillingBudget as BudgetRow } from "../../../engines/postgres/generated/client";
import { ModeName } from "../../../identity/wire-text";
import type { Mode } from "../../../operation/actor";
import { Amount, MonthText, SIMULATED } from "./billing-fields";

/** The largest amount that stays exact in JSON. */
const AMOUNT_MICROS_MAX = 1_000_000_000_000_000;
const THRESHOLDS_MAX = 10;
const PERCENT_MAX = 1000;

export const budgetFields = {
  amount_micros: z
    .int()
    .min(1)
    .max(AMOUNT_MICROS_MAX)
    .describe("What a month in UTC may cost, in micros (10⁻⁶) of the currency; nothing is stopped beyond it"),
  thresholds: z
    .array(z.int().min(1).max(PERCENT_MAX))
    .min(1)
    .max(THRESHOLDS_MAX)
    .refine((percents) => new Set(percents).size === percents.length, "expected different percentages")
    .describe("At which percentages of the amount an event is sent, once per month each"),
};

export const THRESHOLDS_DEFAULT = [50, 80, 100];

/** The budget of a tenant and mode, and how much of it is used. */
export const BillingBudget = z
  .object({
    mode: ModeName,
    currency: z.string(),
    amount_micros: budgetFields.amount_micros
      .nullable()
      .describe("In micros of the currency; null: there is no budget"),
    thresholds: z.array(z.int()),
    month: MonthText,
    spent: Amount.describe("What the month cost until now, exactly, in units of `currency`"),
    crossed: z
      .array(z.object({ percent: z.int(), at: z.iso.datetime() }))
      .describe("The thresholds that were crossed this month; they are checked every minute"),
    simulated: z.boolean().describe(SIMULATED),
  })
  .meta({ id: "BillingBudget" });
export type BillingBudget = z.infer<typeof BillingBudget>;

interface BudgetMonth {
  mode: Mode;
  currency: string;
  month: string;
  spent: string;
  crossed: readonly { percent: number; crossedAt: Date }[];
}

export const toBudget = (
  row: BudgetRow | null,
  { mode, currency, month, spent, crossed }: BudgetMonth,
): BillingBudget => ({
  mode,
  currency,
  amount_micros: row ? Number(row.amountMicros) : null,
  thresholds: row?.thresholds ?? THRESHOLDS_DEFAULT,
  month,
  spent,
  crossed: crossed.map(({ percent, crossedAt }) => ({ percent, at: crossedAt.toISOString() })),
  simulated: mode === "test",
});

export const budgetTarget = (mode: Mode) => ({ type: "billing_budget", id: mode });
