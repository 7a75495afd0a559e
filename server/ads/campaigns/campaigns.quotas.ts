import { COUNTABLE, notArchived } from "../../identity/quotas/quota";
import type { QuotaDefinition } from "../../operation/quota";

export const CAMPAIGNS_QUOTA = {
  resource: "campaigns",
  unit: "campaigns",
  description: "Campaigns that are not archived, of both modes",
  defaultLimit: 10_000,
  liftable: COUNTABLE,
  used: (tx, { tenantId }) => tx.campaign.count(notArchived(tenantId)),
  remedy: "archive one",
} as const satisfies QuotaDefinition;
