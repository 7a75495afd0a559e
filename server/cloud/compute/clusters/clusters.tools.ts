import { type Tool, tool } from "../../../operation/tool";
import { listResources } from "../../core/resources/list-resources";
import { creationTool, deletionTool } from "../../core/resources/resource-tools";
import { ClusterSpec, NodeGroupSpec, SlurmSpec } from "./cluster-spec";
import { CLUSTER_KIND, NODE_GROUP_KIND } from "./find-cluster";
import { listNodeGroups } from "./list-node-groups";

export const clusterTools: readonly Tool[] = [
  creationTool("gpuc_cks_create name*:s version:s subnets*:a ami_type:s tags:o", {
    ...{ service: "cks", spec: ClusterSpec },
    description:
      "Creates a Kubernetes cluster: a namespace with a quota and its own account in the Kubernetes of this installation. POST /v1/clusters/{rid}/kubeconfig makes a kubeconfig for kubectl.",
  }),
  tool("gpuc_cks_list", listResources, {
    description: "Lists the clusters of the project, newest first, at most 100.",
    toInput: () => ({ service: "cks", kind: CLUSTER_KIND }),
  }),
  deletionTool("gpuc_cks_delete cluster_id*:s", "cks"),
  creationTool(
    "gpuc_cks_node_group_create cluster_id*:s name*:s sku*:s desired_size:i min_size:i max_size:i purchase_option:s labels:o taints:a",
    {
      ...{ service: "cks", kind: NODE_GROUP_KIND, spec: NodeGroupSpec },
      description:
        "Adds nodes with GPUs to a cluster: the quota of its namespace grows by them. gpuc_cks_delete deletes a node group too. Its name is unique among the clusters and node groups of the project.",
    },
  ),
  tool("gpuc_cks_node_groups_list cluster_id*:s", listNodeGroups, {
    renamed: { cluster_id: "rid" },
    notes: { cluster_id: "" },
  }),
  creationTool("gpuc_cks_sunk_install cluster_id*:s", {
    ...{ service: "sunk", spec: SlurmSpec },
    nameOf: ({ cluster_id: id }) => `slurm-${String(id).slice(-SUFFIX_LENGTH)}`,
    description:
      "Installs Slurm for a cluster, also for a placeholder: a pod with a partition for each node group. observed.pod_id is the pod in which svc_pods_exec runs srun, sbatch and sinfo.",
  }),
];

const SUFFIX_LENGTH = 10;
