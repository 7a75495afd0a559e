import type { InstanceParts } from "../../compute/instances/instance-ctx";
import { CpuSpec } from "../../compute/instances/instance-spec";
import type { Family } from "../../core/kinds/family";
import { ABOUT_INSTANCES, instanceKind } from "./instance-kind";
import { cpuSkus } from "./instance-prices";

/** Instances without GPUs. */
export const cpuFamily = (parts: () => InstanceParts): Family => ({
  plane: "gpuc",
  service: "cpu",
  label: "CPU instances",
  summary: "Machines without GPUs that run until you stop them.",
  meters: ["pods"],
  skus: cpuSkus(),
  kinds: { instance: instanceKind(parts, { spec: CpuSpec, gpusOf: () => ({ gpu: null, gpuCount: 0, region: null }) }) },
  tools: {
    create: [
      {
        signature: "gpuc_cpu_create name*:s sku*:s image_id*:s purchase_option:s",
        about: `Creates an instance without GPUs. ${ABOUT_INSTANCES}`,
      },
    ],
  },
});
