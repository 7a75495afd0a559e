import type { QuietPart } from "../../identity/part";
import { budgetEventKinds } from "./budget.events";
import { budgetRoutes } from "./budgets.routes";
import { type CrossingsCtx, forgetBudgetCrossings, recordBudgetCrossings } from "./record-budget-crossings";

const RECORD_BUDGET_CROSSINGS = "record_budget_crossings";
const FORGET_BUDGET_CROSSINGS = "forget_budget_crossings";

/** Records which budgets campaigns have used up. */
export const budgetsPart: QuietPart<CrossingsCtx, typeof budgetRoutes> = {
  name: "budgets",
  routes: [budgetRoutes],
  eventKinds: budgetEventKinds,
  start: ({ db, sql, clock, currency }) => ({
    gives: {},
    tasks: {
      [RECORD_BUDGET_CROSSINGS]: () => recordBudgetCrossings({ db, sql, clock, currency }),
      [FORGET_BUDGET_CROSSINGS]: () => forgetBudgetCrossings({ db, clock }),
    },
    crontab: [`37 * * * * ${FORGET_BUDGET_CROSSINGS}`],
    everyMinute: {
      [RECORD_BUDGET_CROSSINGS]: `SELECT FROM campaigns WHERE archived_at IS NULL
        AND (daily_budget_micros IS NOT NULL OR total_budget_micros IS NOT NULL)`,
    },
  }),
};
