/** The windows of budgets are calendar days and months in UTC. */
export type BudgetWindow = "day" | "month";

/** When the window that contains `at` ends and the next one begins. */
export const windowEnd = (window: BudgetWindow, at: Date): Date =>
  window === "day"
    ? new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate() + 1))
    : new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1));
