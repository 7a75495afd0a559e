import { COUNTABLE } from "../../../identity/quotas/quota";
import type { CountedQuota } from "../../../operation/quota";

export const QUEUE_QUOTAS = {
  queues: {
    resource: "queues",
    unit: "queues",
    description: "Queues that are not deleted, of both modes",
    defaultLimit: 1000,
    liftable: COUNTABLE,
    used: (tx, { tenantId }) => tx.queue.count({ where: { tenantId, deletedAt: null } }),
    remedy: "delete one",
  },
} as const satisfies Record<string, CountedQuota>;
