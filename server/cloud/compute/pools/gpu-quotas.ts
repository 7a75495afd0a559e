import type { QuotaDefinition } from "../../../operation/quota";
import { gangClaims } from "../../core/gang-claims/gang-claims";
import { GPU_MODELS, type GpuModel } from "../../core/prices/gpu-models";
import { REGIONS, type Region } from "./regions";

/** On-demand GPUs per tenant and region: H100 and B200 of the specification ("Limits"), the others ours. */
const NOMINAL: Readonly<Record<GpuModel, number>> = {
  h100: 32,
  h200: 32,
  b200: 16,
  b300: 16,
  gb200: 16,
  gb300: 16,
  a100: 32,
  l40s: 32,
};
/** The burst of the specification is 8 times the nominal limit; an operator can set up to that. */
const BURST_FACTOR = 8;

export type GpuQuota = QuotaDefinition & { used: NonNullable<QuotaDefinition["used"]> };

/** The limit of a model in a region. GPUs count from the creation of a pod until its run has ended. */
export function gpuQuota(model: GpuModel, region: Region): GpuQuota {
  return {
    resource: `gpus_${model}_${region}`,
    unit: `${model} GPUs in ${region}`,
    description: `On-demand ${model} GPUs in ${region} of pods that are pending, ready, reclaiming or stopping, and of node groups, of both modes; a gang counts as a whole while one of its pods is pending. Spot ones and pods of a reservation do not count`,
    defaultLimit: NOMINAL[model],
    liftable: { min: 0, max: NOMINAL[model] * BURST_FACTOR },
    used: async (tx, { tenantId }) => {
      const status = { in: ["pending" as const, "ready" as const, "reclaiming" as const, "stopping" as const] };
      const { _sum: sum } = await tx.pod.aggregate({
        where: { tenantId, region, gpu: model, status, spot: false, reservationId: null },
        _sum: { gpuCount: true },
      });
      const { _sum: nodes } = await tx.clusterNodes.aggregate({
        where: { tenantId, region, model, spot: false },
        _sum: { gpus: true },
      });
      const { gpus: claimed } = await gangClaims(tx, { tenantId, onDemand: { gpu: model, region } });
      return (sum.gpuCount ?? 0) + (nodes.gpus ?? 0) + claimed;
    },
    remedy: "stop a pod or delete a node group",
  };
}

export const GPU_QUOTAS: readonly QuotaDefinition[] = REGIONS.flatMap((region) =>
  GPU_MODELS.map((model) => gpuQuota(model, region)),
);
