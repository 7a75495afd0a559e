import { type Tool, tool } from "../../../operation/tool";
import { listNodeGroups } from "./list-node-groups";

/** Those besides the tools of the families `cks` and `sunk`. */
export const clusterTools: readonly Tool[] = [
  tool("gpuc_cks_node_groups_list cluster_id*:s", listNodeGroups, {
    renamed: { cluster_id: "rid" },
    notes: { cluster_id: "" },
  }),
];
