import { COUNTABLE, notArchived } from "../../identity/quotas/quota";
import type { QuotaDefinition } from "../../operation/quota";
import { itemsOfTenant } from "./item-counts.sql";

/** The limits of the offers product: enough for large accounts, but a stop for runaway clients. */
export const ADS_QUOTAS = {
  channels: {
    resource: "channels",
    unit: "channels",
    description: "Channels that are not archived, of both modes",
    defaultLimit: 1000,
    liftable: COUNTABLE,
    used: (tx, { tenantId }) => tx.channel.count(notArchived(tenantId)),
    remedy: "archive one",
  },
  advertisers: {
    resource: "advertisers",
    unit: "advertisers",
    description: "Advertisers that are not archived",
    defaultLimit: 1000,
    liftable: COUNTABLE,
    used: (tx, { tenantId }) => tx.advertiser.count(notArchived(tenantId)),
    remedy: "archive one",
  },
  campaigns: {
    resource: "campaigns",
    unit: "campaigns",
    description: "Campaigns that are not archived, of both modes",
    defaultLimit: 10_000,
    liftable: COUNTABLE,
    used: (tx, { tenantId }) => tx.campaign.count(notArchived(tenantId)),
    remedy: "archive one",
  },
  creatives: {
    resource: "creatives",
    unit: "creatives",
    description: "Creatives that are not archived, of all campaigns that are not archived, of both modes",
    defaultLimit: 20_000,
    liftable: COUNTABLE,
    used: async (tx, { tenantId }) => (await itemsOfTenant(tx, tenantId)).creatives,
    remedy: "delete one, archive a campaign",
  },
  products: {
    resource: "products",
    unit: "products",
    description: "Products that are not archived, of all campaigns that are not archived, of both modes",
    // At about 4 KiB each, a tenant uses at most 400 MiB of a process's index.
    defaultLimit: 100_000,
    liftable: COUNTABLE,
    used: async (tx, { tenantId }) => (await itemsOfTenant(tx, tenantId)).products,
    remedy: "delete some, archive a campaign, send the whole feed with mode=replace",
  },
} as const satisfies Record<string, QuotaDefinition>;
