import { COUNTABLE } from "../../../identity/quotas/quota";
import type { CountedQuota } from "../../../operation/quota";

export const WEBHOOK_QUOTAS = {
  webhooks: {
    resource: "webhooks",
    unit: "webhooks",
    description: "Webhooks that are not deleted, of all projects and both modes",
    defaultLimit: 100,
    liftable: COUNTABLE,
    used: (tx, { tenantId }) => tx.webhook.count({ where: { tenantId, deletedAt: null } }),
    remedy: "delete one",
  },
} as const satisfies Record<string, CountedQuota>;
