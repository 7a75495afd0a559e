import { randomBase32 } from "../../../kernel/ids";
import type { Tool } from "../../../operation/tool";
import { creationTool, listTool } from "../../core/resources/resource-tools";
import { UpgradeSpec } from "./upgrade-spec";

const SUFFIX_LENGTH = 8;

export const ownUpgradeTools: readonly Tool[] = [
  creationTool("gpuc_flc_upgrade target_version*:s strategy:s max_unavailable:i", {
    ...{ service: "flc", spec: UpgradeSpec },
    nameOf: ({ target_version: version }) => `${version}-${randomBase32(SUFFIX_LENGTH)}`,
    description:
      "Upgrades the nodes that running baremetal instances of the project have for themselves; observed has the progress. Each is cordoned and drained, upgraded and opened, and its instance starts again there with its files. At most max_unavailable nodes are unavailable at a time. It pauses after a critical health event of an upgraded node. Nodes of test mode are simulated: only their version changes; in live mode the result is a placeholder, because operators upgrade machines.",
  }),
  listTool("gpuc_flc_upgrades_list", "flc"),
];
