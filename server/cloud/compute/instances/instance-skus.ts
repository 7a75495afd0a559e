import type { GpuModel } from "../../core/prices/gpu-models";
import { FLEET } from "../pools/fleet";

/** The SKUs of GPU instances in the specification, with the model of their GPUs. */
export const GPU_SKUS = {
  H100: "h100",
  H200: "h200",
  B200: "b200",
  B300: "b300",
  A100: "a100",
  L40S: "l40s",
} as const satisfies Record<string, GpuModel>;
export type GpuSku = keyof typeof GPU_SKUS;

/** The SKUs of CPU instances in the specification, with the processors that they are named after. */
export const CPU_SKUS = {
  Genoa: "AMD EPYC 9004",
  Turin: "AMD EPYC 9005",
  Emerald: "5th generation Intel Xeon",
} as const;
export type CpuSku = keyof typeof CPU_SKUS;

export const GPU_SKU_NAMES = Object.keys(GPU_SKUS) as [GpuSku, ...GpuSku[]];
export const CPU_SKU_NAMES = Object.keys(CPU_SKUS) as [CpuSku, ...CpuSku[]];

export const PURCHASE_OPTIONS = ["on_demand", "spot", "reserved_1y", "reserved_3y"] as const;

/** What an instance has unless its spec says otherwise; ours. */
export const INSTANCE_CPU = 2;
export const INSTANCE_MEMORY_MB = 2048;

export const gpusPerNode = (sku: GpuSku): number => FLEET[GPU_SKUS[sku]].gpusPerNode;
