import { adsParts } from "./ads/ads-parts";
import { cloudParts } from "./cloud/cloud-parts";
import { identityParts } from "./identity/identity-parts";
import type { QuotaDefinition } from "./operation/quota";

/** Every limit of a tenant: those of the account system, then those of each product. */
export const ALL_QUOTAS: readonly QuotaDefinition[] = [
  ...identityParts.quotas,
  ...adsParts.quotas,
  ...cloudParts.quotas,
];
