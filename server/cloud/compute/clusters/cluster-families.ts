import type { Family } from "../../core/resources/family";
import type { ClusterParts } from "./cluster-ctx";
import { clusterKind } from "./cluster-kind";
import { CLUSTER_KIND, NODE_GROUP_KIND } from "./find-cluster";
import { nodeGroupKind } from "./node-group-kind";
import { slurmKind } from "./slurm-kind";

/** Kubernetes clusters with their node groups, `cks`, and Slurm for them, `sunk`. */
export const clusterFamilies = (parts: () => ClusterParts): Family[] => [
  {
    ...{ plane: "gpuc", service: "cks" },
    kinds: { [CLUSTER_KIND]: clusterKind(parts), [NODE_GROUP_KIND]: nodeGroupKind(parts) },
  },
  { ...{ plane: "gpuc", service: "sunk" }, kinds: { slurm: slurmKind(parts) } },
];
