import { EXAMPLE_TIME } from "../../../operation/example";
import type { BillingBudget } from "./budget";

export const budgetExample: BillingBudget = {
  mode: "live",
  currency: "USD",
  amount_micros: 500_000_000,
  thresholds: [50, 80, 100],
  month: "2026-11",
  spent: "281.0504",
  crossed: [{ percent: 50, at: EXAMPLE_TIME }],
  simulated: false,
};
