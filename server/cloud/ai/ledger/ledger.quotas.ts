import { COUNTABLE } from "../../../identity/quotas/quota";
import type { CountedQuota } from "../../../operation/quota";

export const CHAT_LEDGER_QUOTAS = {
  chat_budgets: {
    resource: "chat_budgets",
    unit: "budgets",
    description: "Budgets for chat requests that are not deleted, of both modes",
    defaultLimit: 500,
    liftable: COUNTABLE,
    used: (tx, { tenantId }) => tx.chatBudget.count({ where: { tenantId, deletedAt: null } }),
    remedy: "delete one",
  },
} as const satisfies Record<string, CountedQuota>;
