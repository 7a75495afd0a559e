import type { InstanceParts } from "../../compute/instances/instance-ctx";
import { GPU_SKUS, gpusPerNode } from "../../compute/instances/instance-skus";
import { BaremetalSpec } from "../../compute/instances/instance-spec";
import type { Family } from "../../core/kinds/family";
import { ABOUT_INSTANCES, instanceKind } from "./instance-kind";
import { baremetalSkus } from "./instance-prices";

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
        about: `Creates an instance that has all GPUs of a node. ${ABOUT_INSTANCES}`,
      },
    ],
  },
});
