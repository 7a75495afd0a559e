import type { Tool } from "../../../operation/tool";
import { creationTool, deletionTool, listTool } from "../../core/resources/resource-tools";
import { NetToolSpec } from "./network-spec";

export const netTools: readonly Tool[] = [
  creationTool("gpuc_net_create name*:s kind*:s cidr:s bandwidth:s location:s", {
    ...{ service: "net", spec: NetToolSpec },
    description:
      "Creates part of a network. kind vpc: a private network for pods (cidr), whose observed.subnets have the ids that pods are created with; nat: the pods of the project's only vpc reach public addresses; eip: a TCP port of the installation, which leads to a pod when its target is set with PATCH /v1/resources/{rid}; byoip (cidr) and dx_port (bandwidth, location): placeholders with their plan. An argument that the kind does not have is an error. Without the activated service net the result is a placeholder with the reason and the plan.",
  }),
  listTool("gpuc_net_list kind:s", "net"),
  deletionTool("gpuc_net_delete network_id*:s", "net"),
];
