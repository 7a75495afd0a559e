import { randomBase32 } from "../../../kernel/ids";
import type { Family } from "../../core/kinds/family";
import type { GpucParts } from "./gpuc-ctx";
import { upgradeKind } from "./upgrade-kind";

const SUFFIX_LENGTH = 8;

/** Upgrades of the nodes that a tenant has for itself. */
export const flcFamily = (parts: () => GpucParts): Family => ({
  plane: "gpuc",
  service: "flc",
  label: "Fleet upgrades",
  summary: "Upgrades of the nodes that your baremetal instances have for themselves.",
  meters: [],
  skus: [],
  kinds: { upgrade: upgradeKind(parts) },
  tools: {
    create: [
      {
        signature: "gpuc_flc_upgrade target_version*:s strategy:s max_unavailable:i",
        nameOf: ({ target_version: version }) => `${version}-${randomBase32(SUFFIX_LENGTH)}`,
        about:
          "Upgrades the nodes that running baremetal instances of the project have for themselves; observed has the progress. Each is cordoned and drained, upgraded and opened, and its instance starts again there with its files. At most max_unavailable nodes are unavailable at a time. It pauses after a critical health event of an upgraded node. Nodes of test mode are simulated: only their version changes; in live mode the result is a placeholder, because operators upgrade nodes.",
      },
    ],
    list: { signature: "gpuc_flc_upgrades_list" },
  },
});
