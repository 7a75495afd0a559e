import { ADS_QUOTAS } from "./ads/quotas/ads-quotas";
import { GPU_QUOTAS } from "./cloud/gpu-pools/gpu-quotas";
import { GPU_SHARE_WEIGHT } from "./cloud/gpu-pools/gpu-share-weight";
import { CLOUD_QUOTAS } from "./cloud/quotas/cloud-quotas";
import { RESERVED_GPU_QUOTAS } from "./cloud/reservations/reserved-quotas";
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
