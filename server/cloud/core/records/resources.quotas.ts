import { COUNTABLE } from "../../../identity/quotas/quota";
import type { CountedQuota } from "../../../operation/quota";

export const RESOURCE_QUOTAS = {
  resources: {
    resource: "resources",
    unit: "resources",
    description: "Resources of services, besides placeholders, of all projects and both modes",
    defaultLimit: 10_000,
    liftable: COUNTABLE,
    used: (tx, { tenantId }) =>
      tx.resource.count({ where: { tenantId, archivedAt: null, state: { not: "placeholder" } } }),
    remedy: "delete one",
  },
} as const satisfies Record<string, CountedQuota>;
