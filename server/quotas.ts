import { adsParts } from "./ads/ads-parts";
import { cloudParts } from "./cloud/cloud-parts";
import { QUOTAS } from "./identity/quotas/quota";
import type { QuotaDefinition } from "./operation/quota";

/** Every limit of a tenant: those of the account system, then those of each product. */
export const ALL_QUOTAS: readonly QuotaDefinition[] = [
  ...Object.values(QUOTAS),
  ...adsParts.quotas,
  ...cloudParts.quotas,
];
