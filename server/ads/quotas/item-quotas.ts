import { COUNTABLE } from "../../identity/quotas/quota";
import type { QuotaDefinition } from "../../operation/quota";
import { itemsOfTenant } from "./item-counts.sql";

/** The limits of what campaigns show: a campaign is restored only if both have room for what it contains. */
export const ITEM_QUOTAS = {
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
