import type { Tool } from "../../../operation/tool";
import { creationTool, deletionTool, listTool } from "../../core/resources/resource-tools";
import { VolumeSpec } from "../../data/volumes/volume-spec";

export const dfsTools: readonly Tool[] = [
  creationTool("gpuc_dfs_create name*:s capacity_gb*:i throughput_mbps:i subnet_id:s", {
    ...{ service: "dfs", spec: VolumeSpec },
    description:
      "Creates a volume that several pods and instances of the project mount at a time, with `volumes` of svc_pods_run. Its files stay when they are deleted. Its capacity is enforced, observed.throughput_enforced says whether the throughput is.",
  }),
  listTool("gpuc_dfs_list", "dfs"),
  deletionTool("gpuc_dfs_delete volume_id*:s", "dfs"),
];
