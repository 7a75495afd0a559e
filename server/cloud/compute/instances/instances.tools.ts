import { type Tool, tool } from "../../../operation/tool";
import { creationTool } from "../../core/resources/resource-tools";
import { deleteInstance } from "./delete-instance";
import { BaremetalSpec, CpuSpec, GpuSpec } from "./instance-spec";
import { listInstances } from "./list-instances";
import { startInstance } from "./start-instance";
import { stopInstance } from "./stop-instance";

const renamed = { instance_id: "rid" };
const notes = { instance_id: "" };
const ABOUT =
  "It is metered by the second until it is stopped or deleted; observed.pod_id is the pod for svc_pods_exec and svc_pods_logs. With a test key GPUs are simulated: the machine is real, but has none.";

export const instanceTools: readonly Tool[] = [
  creationTool("gpuc_gpu_create name*:s sku*:s image_id*:s purchase_option:s user_data:s tags:o", {
    ...{ service: "gpu", spec: GpuSpec, description: `Creates an instance with a GPU. ${ABOUT}` },
  }),
  creationTool("gpuc_cpu_create name*:s sku*:s image_id*:s purchase_option:s", {
    ...{ service: "cpu", spec: CpuSpec, description: `Creates an instance without GPUs. ${ABOUT}` },
  }),
  creationTool("gpuc_baremetal_create name*:s sku*:s image_id*:s", {
    service: "baremetal",
    ...{ spec: BaremetalSpec, description: `Creates an instance that has all GPUs of a node. ${ABOUT}` },
  }),
  tool("gpuc_instances_list kind:s", listInstances, {
    description: "Lists the instances of the project, newest first, at most 100.",
  }),
  tool("gpuc_instance_stop instance_id*:s", stopInstance, { renamed, notes }),
  tool("gpuc_instance_start instance_id*:s", startInstance, { renamed, notes }),
  tool("gpuc_instance_delete instance_id*:s", deleteInstance, { renamed, notes }),
];
