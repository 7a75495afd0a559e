import { COUNTABLE } from "../../../identity/quotas/quota";
import type { CountedQuota } from "../../../operation/quota";

export const POD_QUOTAS = {
  pods: {
    resource: "pods",
    unit: "pods",
    description: "Pods that are not deleted, of all projects and both modes",
    defaultLimit: 500,
    liftable: COUNTABLE,
    used: (tx, { tenantId }) => tx.pod.count({ where: { tenantId, kind: "pod", deletedAt: null } }),
    remedy: "delete one",
  },
} as const satisfies Record<string, CountedQuota>;
