import { COUNTABLE } from "../../../identity/quotas/quota";
import type { CountedQuota } from "../../../operation/quota";

export const SANDBOX_QUOTAS = {
  sandboxes: {
    resource: "sandboxes",
    unit: "sandboxes",
    description: "Sandboxes and pods of functions that have not ended, of all projects and both modes",
    defaultLimit: 32,
    liftable: COUNTABLE,
    used: (tx, { tenantId }) =>
      tx.pod.count({
        where: { tenantId, kind: { not: "pod" }, status: { in: ["pending", "ready"] }, deletedAt: null },
      }),
    remedy: "delete one, or wait until one has ended",
  },
} as const satisfies Record<string, CountedQuota>;
