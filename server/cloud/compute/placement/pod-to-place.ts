import type { Pod } from "../../../engines/postgres/generated/client";
import { GPU_MILLI, type GpuRequest } from "../scheduler/gpu-request";

const MILLI_PER_CORE = 1000;

/** What placing and explaining read of a pod, which need not exist. */
export type PodToPlace = Pick<
  Pod,
  | ("id" | "kind" | "runNumber" | "tenantId" | "projectId" | "mode" | "expiresAt" | "reasonCode" | "reasonText")
  | (
      | "gpu"
      | "gpuCount"
      | "region"
      | "cpu"
      | "memoryMb"
      | "ports"
      | "volumeGb"
      | "spot"
      | "autoResume"
      | "reservationId"
      | "gangName"
      | "gangSize"
      | "requiredNodeId"
    )
>;

/** What a pod needs of one node. */
export const requestOf = ({ cpu, memoryMb, gpuCount }: PodToPlace): GpuRequest => ({
  cpuMilli: cpu * MILLI_PER_CORE,
  memoryMib: memoryMb,
  gpus: gpuCount,
  gpuMilli: GPU_MILLI,
  models: [],
});
