import { COUNTABLE, notArchived } from "../../identity/quotas/quota";
import type { QuotaDefinition } from "../../operation/quota";

export const CHANNELS_QUOTA = {
  resource: "channels",
  unit: "channels",
  description: "Channels that are not archived, of both modes",
  defaultLimit: 1000,
  liftable: COUNTABLE,
  used: (tx, { tenantId }) => tx.channel.count(notArchived(tenantId)),
  remedy: "archive one",
} as const satisfies QuotaDefinition;
