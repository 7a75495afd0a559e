import { COUNTABLE } from "../../../identity/quotas/quota";
import type { CountedQuota } from "../../../operation/quota";

export const WORKSPACE_QUOTAS = {
  workspaces: {
    resource: "workspaces",
    unit: "workspaces",
    description: "Workspaces that are not deleted, of all projects and both modes",
    defaultLimit: 20,
    liftable: COUNTABLE,
    used: (tx, { tenantId }) => tx.pod.count({ where: { tenantId, kind: "workspace", deletedAt: null } }),
    remedy: "delete one",
  },
} as const satisfies Record<string, CountedQuota>;
