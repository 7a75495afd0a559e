import { COUNTABLE } from "../../../identity/quotas/quota";
import type { CountedQuota } from "../../../operation/quota";
import { gangClaims } from "../../core/gang-claims/gang-claims";

export const POD_QUOTAS = {
  pods: {
    resource: "pods",
    unit: "pods",
    description:
      "Pods that are not deleted, of all projects and both modes, and those that a gang lacks while one of its pods waits",
    defaultLimit: 500,
    liftable: COUNTABLE,
    used: async (tx, { tenantId }) => {
      const { pods } = await gangClaims(tx, { tenantId });
      return pods + (await tx.pod.count({ where: { tenantId, kind: "pod", deletedAt: null } }));
    },
    remedy: "delete one",
  },
} as const satisfies Record<string, CountedQuota>;
