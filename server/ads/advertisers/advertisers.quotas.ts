import { COUNTABLE, notArchived } from "../../identity/quotas/quota";
import type { QuotaDefinition } from "../../operation/quota";

export const ADVERTISERS_QUOTA = {
  resource: "advertisers",
  unit: "advertisers",
  description: "Advertisers that are not archived",
  defaultLimit: 1000,
  liftable: COUNTABLE,
  used: (tx, { tenantId }) => tx.advertiser.count(notArchived(tenantId)),
  remedy: "archive one",
} as const satisfies QuotaDefinition;
