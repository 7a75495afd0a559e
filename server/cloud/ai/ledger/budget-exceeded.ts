import type { Pool } from "pg";
import { ServiceError } from "../../../kernel/errors";
import { windowEnd } from "./budget-window";
import { budgetTerms } from "./chat-requests.sql";

/** The error for a request that does not fit a budget: which one, and when its window ends. */
export async function budgetExceeded(sql: Pool, budgetId: string, at: Date): Promise<ServiceError> {
  const budget = await budgetTerms(sql, budgetId).catch(() => undefined);
  const resetsAt = budget && windowEnd(budget.window, at).toISOString();
  const whose = budget
    ? `The budget "${budget.name}" of this ${budget.key_id === null ? "project" : "key"}`
    : "A budget";
  return new ServiceError(
    "quota_exceeded",
    `${whose} does not allow this request: what was spent, what running requests have reserved and what this one can cost exceed it. Raise the budget, request fewer tokens (max_tokens)${resetsAt ? `, or wait until ${resetsAt}` : ""}.`,
    { details: { reason: "budget_exceeded", budget_id: budgetId, ...(resetsAt && { resets_at: resetsAt }) } },
  );
}
