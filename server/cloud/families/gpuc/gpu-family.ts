import type { InstanceParts } from "../../compute/instances/instance-ctx";
import { GPU_SKUS } from "../../compute/instances/instance-skus";
import { GpuSpec } from "../../compute/instances/instance-spec";
import type { Family } from "../../core/kinds/family";
import { ABOUT_INSTANCES, instanceKind } from "./instance-kind";
import { gpuSkus } from "./instance-prices";

/** Instances with GPUs. */
export const gpuFamily = (parts: () => InstanceParts): Family => ({
  plane: "gpuc",
  service: "gpu",
  label: "GPU instances",
  summary: "Machines with GPUs that run until you stop them.",
  meters: ["pods"],
  skus: gpuSkus(),
  kinds: {
    instance: instanceKind(parts, {
      spec: GpuSpec,
      gpusOf: ({ sku, gpu_count: gpuCount, region }) => ({ gpu: GPU_SKUS[sku], gpuCount, region }),
    }),
  },
  tools: {
    create: [
      {
        signature: "gpuc_gpu_create name*:s sku*:s image_id*:s purchase_option:s user_data:s tags:o",
        about: `Creates an instance with a GPU. ${ABOUT_INSTANCES}`,
      },
    ],
  },
});
