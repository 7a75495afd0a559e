import { ADS_QUOTAS } from "./ads/quotas/ads-quotas";
import { GPU_QUOTAS } from "./cloud/compute/pools/gpu-quotas";
import { GPU_SHARE_WEIGHT } from "./cloud/compute/pools/gpu-share-weight";
import { RESERVED_GPU_QUOTAS } from "./cloud/compute/reservations/reserved-quotas";
import { CLOUD_QUOTAS } from "./cloud/core/quotas/cloud-quotas";
import { QUOTAS, type QuotaDefinition } from "./identity/quotas/quota";

/** Every limit of a tenant: those of the account system, then those of each product. */
export const ALL_QUOTAS: readonly QuotaDefinition[] = [
  ...Object.values(QUOTAS),
  ...Object.values(ADS_QUOTAS),
  ...Object.values(CLOUD_QUOTAS),
  ...GPU_QUOTAS,
  ...RESERVED_GPU_QUOTAS,
  GPU_SHARE_WEIGHT,
];
