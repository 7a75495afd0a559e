import type { Tool } from "../../../operation/tool";
import { creationTool, deletionTool, listTool } from "../../core/resources/resource-tools";
import { NetToolSpec } from "./network-spec";

export const netTools: readonly Tool[] = [
  creationTool("gpuc_net_create name*:s kind*:s cidr:s bandwidth:s location:s", {
    ...{ service: "net", spec: NetToolSpec },
    description:
      "Creates a private network for pods (vpc, whose observed.subnets have the ids that pods are created with), lets the pods of the project's only vpc reach public addresses (nat), or creates a public TCP port (eip). byoip and dx_port are placeholders with their plan. An eip leads to a pod when its target is set with PATCH /v1/resources/{rid}. An argument that the kind does not have is an error.",
  }),
  listTool("gpuc_net_list kind:s", "net"),
  deletionTool("gpuc_net_delete network_id*:s", "net"),
];
