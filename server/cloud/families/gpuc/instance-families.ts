import type { InstanceParts } from "../../compute/instances/instance-ctx";
import { GPU_SKUS, gpusPerNode } from "../../compute/instances/instance-skus";
import { BaremetalSpec, CpuSpec, GpuSpec } from "../../compute/instances/instance-spec";
import type { Family } from "../../core/kinds/family";
import { instanceKind } from "./instance-kind";
import { baremetalSkus, cpuSkus, gpuSkus } from "./instance-prices";

const NO_GPUS = { gpu: null, gpuCount: 0, region: null } as const;
const ABOUT =
  "It is metered by the second until it is stopped or deleted; observed.pod_id is the pod for svc_pods_exec and svc_pods_logs. With a test key GPUs are simulated: the node is real, but has none.";

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
        about: `Creates an instance with a GPU. ${ABOUT}`,
      },
    ],
  },
});

/** Instances without GPUs. */
export const cpuFamily = (parts: () => InstanceParts): Family => ({
  plane: "gpuc",
  service: "cpu",
  label: "CPU instances",
  summary: "Machines without GPUs that run until you stop them.",
  meters: ["pods"],
  skus: cpuSkus(),
  kinds: { instance: instanceKind(parts, { spec: CpuSpec, gpusOf: () => NO_GPUS }) },
  tools: {
    create: [
      {
        signature: "gpuc_cpu_create name*:s sku*:s image_id*:s purchase_option:s",
        about: `Creates an instance without GPUs. ${ABOUT}`,
      },
    ],
  },
});

/** Instances that have a node for themselves. */
export const baremetalFamily = (parts: () => InstanceParts): Family => ({
  plane: "gpuc",
  service: "baremetal",
  label: "Baremetal instances",
  summary: "All GPUs of a node for one instance.",
  meters: ["pods"],
  skus: baremetalSkus(),
  kinds: {
    instance: instanceKind(parts, {
      spec: BaremetalSpec,
      gpusOf: ({ sku, region }) => ({ gpu: GPU_SKUS[sku], gpuCount: gpusPerNode(sku), region }),
    }),
  },
  tools: {
    create: [
      {
        signature: "gpuc_baremetal_create name*:s sku*:s image_id*:s",
        about: `Creates an instance that has all GPUs of a node. ${ABOUT}`,
      },
    ],
  },
});
