import { COUNTABLE } from "../../../identity/quotas/quota";
import type { CountedQuota } from "../../../operation/quota";

export const SCAN_QUOTAS = {
  shield_scans: {
    resource: "shield_scans",
    unit: "scans",
    description: "Scans of buckets that wait or run, of all projects and both modes",
    defaultLimit: 20,
    liftable: COUNTABLE,
    used: (tx, { tenantId }) => tx.shieldScan.count({ where: { tenantId, finishedAt: null } }),
    remedy: "wait for one or cancel it",
  },
} as const satisfies Record<string, CountedQuota>;
