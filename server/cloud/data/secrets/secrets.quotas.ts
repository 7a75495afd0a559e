import { COUNTABLE } from "../../../identity/quotas/quota";
import type { CountedQuota } from "../../../operation/quota";

export const SECRET_QUOTAS = {
  secrets: {
    resource: "secrets",
    unit: "secrets",
    description: "Secrets of the tenant and all its projects, of both modes",
    defaultLimit: 1000,
    liftable: COUNTABLE,
    used: (tx, { tenantId }) => tx.secret.count({ where: { tenantId } }),
    remedy: "delete one",
  },
} as const satisfies Record<string, CountedQuota>;
