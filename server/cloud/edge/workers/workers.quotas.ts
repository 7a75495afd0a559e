import { COUNTABLE } from "../../../identity/quotas/quota";
import type { CountedQuota } from "../../../operation/quota";

export const EDGE_QUOTAS = {
  edge_functions: {
    resource: "edge_functions",
    unit: "edge functions",
    description: "Edge functions of all projects and both modes",
    defaultLimit: 1000,
    liftable: COUNTABLE,
    used: (tx, { tenantId }) => tx.edgeFunction.count({ where: { tenantId } }),
    remedy: "delete one",
  },
  edge_databases: {
    resource: "edge_databases",
    unit: "SQL databases",
    description: "SQL databases of edge functions, of all projects and both modes",
    defaultLimit: 10,
    liftable: COUNTABLE,
    used: (tx, { tenantId }) => tx.edgeSqlDatabase.count({ where: { tenantId } }),
    remedy: "bind one that exists, or delete the functions that bind one, which is deleted 7 days later",
  },
} as const satisfies Record<string, CountedQuota>;
