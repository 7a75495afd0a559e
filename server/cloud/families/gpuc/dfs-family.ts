import type { Family } from "../../core/kinds/family";
import { simpleSku } from "../../core/kinds/sku";
import { VOLUME_PRICE } from "../../data/volumes/volume-spec";
import type { GpucParts } from "./gpuc-ctx";
import { volumeKind } from "./volume-kind";

/** File systems that pods share. */
export const dfsFamily = (parts: () => GpucParts): Family => ({
  plane: "gpuc",
  service: "dfs",
  label: "Distributed file system",
  summary: "Volumes with the same files in several pods and instances.",
  meters: ["volumes"],
  skus: [
    simpleSku("shared-volume", {
      description: "A GiB of the capacity of a shared volume for 730 hours, used or not, metered by the second",
      unit: "gb_month",
      price: VOLUME_PRICE.gbMonth,
    }),
  ],
  kinds: { volume: volumeKind(parts) },
  tools: {
    create: [
      {
        signature: "gpuc_dfs_create name*:s capacity_gb*:i throughput_mbps:i subnet_id:s",
        about:
          "Creates a volume that several pods and instances of the project mount at a time, with `volumes` of svc_pods_run. Its files stay when they are deleted. Its capacity is enforced, observed.throughput_enforced says whether the throughput is.",
      },
    ],
    list: { signature: "gpuc_dfs_list" },
    delete: "gpuc_dfs_delete volume_id*:s",
  },
});
