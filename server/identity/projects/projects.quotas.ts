import type { CountedQuota } from "../../operation/quota";
import { COUNTABLE, notArchived } from "../quotas/quota";

/** The specification gives no number: this one allows large tenants and stops runaway clients. */
export const PROJECTS_QUOTA = {
  resource: "projects",
  unit: "projects",
  description: "Projects that are not archived",
  defaultLimit: 100,
  liftable: COUNTABLE,
  used: (tx, { tenantId }) => tx.project.count(notArchived(tenantId)),
  remedy: "archive one",
} as const satisfies CountedQuota;
