import { COUNTABLE } from "../../../identity/quotas/quota";
import type { CountedQuota } from "../../../operation/quota";

export const BUCKET_QUOTAS = {
  buckets: {
    resource: "buckets",
    unit: "buckets",
    description: "Buckets of object storage, of all projects and both modes",
    defaultLimit: 100,
    liftable: COUNTABLE,
    used: (tx, { tenantId }) => tx.bucket.count({ where: { tenantId } }),
    remedy: "delete one",
  },
} as const satisfies Record<string, CountedQuota>;
