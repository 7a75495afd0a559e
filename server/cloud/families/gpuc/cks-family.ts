import type { ClusterParts } from "../../compute/clusters/cluster-ctx";
import { CLUSTER_KIND, NODE_GROUP_KIND } from "../../compute/clusters/find-cluster";
import type { Family } from "../../core/kinds/family";
import { clusterKind } from "./cluster-kind";
import { nodeGroupKind } from "./node-group-kind";

/** Kubernetes clusters with their node groups. */
export const cksFamily = (parts: () => ClusterParts): Family => ({
  plane: "gpuc",
  service: "cks",
  label: "Kubernetes",
  summary: "Clusters that you use with kubectl.",
  meters: [],
  skus: [],
  kinds: { [CLUSTER_KIND]: clusterKind(parts), [NODE_GROUP_KIND]: nodeGroupKind(parts) },
  tools: {
    create: [
      {
        signature: "gpuc_cks_create name*:s version:s subnets*:a ami_type:s tags:o",
        about:
          "Creates a Kubernetes cluster: a namespace with a quota and its own account in the Kubernetes of this installation. POST /v1/clusters/{rid}/kubeconfig makes a kubeconfig for kubectl.",
      },
      {
        signature:
          "gpuc_cks_node_group_create cluster_id*:s name*:s sku*:s desired_size:i min_size:i max_size:i purchase_option:s labels:o taints:a",
        kind: NODE_GROUP_KIND,
        about:
          "Adds nodes with GPUs to a cluster: the quota of its namespace grows by them. gpuc_cks_delete deletes a node group too. Its name is unique among the clusters and node groups of the project.",
      },
    ],
    list: { signature: "gpuc_cks_list", kind: CLUSTER_KIND },
    delete: "gpuc_cks_delete cluster_id*:s",
  },
});
