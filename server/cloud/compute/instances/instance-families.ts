import type { Family } from "../../core/resources/family";
import type { InstanceParts } from "./instance-ctx";
import { instanceKind } from "./instance-kind";
import { GPU_SKUS, gpusPerNode } from "./instance-skus";
import { BaremetalSpec, CpuSpec, GpuSpec } from "./instance-spec";

const NO_GPUS = { gpu: null, gpuCount: 0, region: null } as const;

/** Instances: `gpu`, `cpu` and `baremetal`. */
export const instanceFamilies = (parts: () => InstanceParts): Family[] => [
  {
    ...{ plane: "gpuc", service: "gpu" },
    kinds: {
      instance: instanceKind(parts, {
        spec: GpuSpec,
        gpusOf: ({ sku, gpu_count: gpuCount, region }) => ({ gpu: GPU_SKUS[sku], gpuCount, region }),
      }),
    },
  },
  {
    ...{ plane: "gpuc", service: "cpu" },
    kinds: { instance: instanceKind(parts, { spec: CpuSpec, gpusOf: () => NO_GPUS }) },
  },
  {
    ...{ plane: "gpuc", service: "baremetal" },
    kinds: {
      instance: instanceKind(parts, {
        spec: BaremetalSpec,
        gpusOf: ({ sku, region }) => ({ gpu: GPU_SKUS[sku], gpuCount: gpusPerNode(sku), region }),
      }),
    },
  },
];
