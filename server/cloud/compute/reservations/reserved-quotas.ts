import type { CountedQuota, QuotaDefinition } from "../../../operation/quota";
import { GPU_MODELS, type GpuModel } from "../../core/prices/gpu-models";
import { gpuQuota } from "../pools/gpu-quotas";
import { REGIONS, type Region } from "../pools/regions";

/** How many GPUs of a model a tenant can reserve in a region: by default, and at most, as many as on demand. */
export function reservedGpuQuota(model: GpuModel, region: Region): CountedQuota {
  const { defaultLimit, liftable } = gpuQuota(model, region);
  return {
    resource: `reserved_gpus_${model}_${region}`,
    unit: `reserved ${model} GPUs in ${region}`,
    description: `${model} GPUs in ${region} of reservations that are scheduled or active, of all projects and both modes`,
    defaultLimit,
    liftable,
    used: async (tx, { tenantId }) => {
      const { _sum: sum } = await tx.reservation.aggregate({
        where: { tenantId, gpu: model, region, status: { in: ["scheduled", "active"] } },
        _sum: { count: true },
      });
      return sum.count ?? 0;
    },
    remedy: "wait for the end of a reservation",
  };
}

export const RESERVED_GPU_QUOTAS: readonly QuotaDefinition[] = REGIONS.flatMap((region) =>
  GPU_MODELS.map((model) => reservedGpuQuota(model, region)),
);
