import { COUNTABLE } from "../../../identity/quotas/quota";
import type { CountedQuota } from "../../../operation/quota";

export const FUNCTION_QUOTAS = {
  functions: {
    resource: "functions",
    unit: "functions",
    description: "Functions of all projects and both modes",
    defaultLimit: 1000,
    liftable: COUNTABLE,
    used: (tx, { tenantId }) => tx.cloudFunction.count({ where: { tenantId } }),
    remedy: "delete one",
  },
} as const satisfies Record<string, CountedQuota>;
