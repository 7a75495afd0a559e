import { ServiceError } from "../../../kernel/errors";
import { gpusOf } from "../../compute/clusters/cluster-capacity";
import type { ClusterParts } from "../../compute/clusters/cluster-ctx";
import { NODE_GROUP_LABEL } from "../../compute/clusters/cluster-manifests";
import { NodeGroupSpec } from "../../compute/clusters/cluster-spec";
import { applyNodeGroup, readNodeGroups, removeNodeGroup, takeAwayNodes } from "../../compute/clusters/node-groups";
import type { Blocker, Kind, PlanStep } from "../../core/kinds/kind";

/** Nodes of a cluster: capacity that its quota grows by. */
export const nodeGroupKind = (parts: () => ClusterParts): Kind<NodeGroupSpec> => ({
  spec: NodeGroupSpec,
  assertChange: assertSameNodes,
  blockerOf: (spec) => blockerOf(parts(), spec),
  plan: planOf,
  provision: async (desired) => {
    const isClaimed = await applyNodeGroup(parts(), desired);
    // It follows its cluster.
    if (!isClaimed) return { is: "changing", observed: {} };
    return (await readNodeGroups(parts(), [desired])).get(desired.rid) ?? { is: "absent" };
  },
  observe: (all) => readNodeGroups(parts(), all),
  remove: async (desired) => {
    await removeNodeGroup(parts(), desired);
    return true;
  },
  suspend: async (desired) => {
    await takeAwayNodes(parts(), desired);
    return true;
  },
  tryIt: () => [
    {
      title: "See what its cluster has",
      command: "kubectl --kubeconfig kubeconfig.json describe resourcequota svc-capacity",
    },
    {
      title: "See it, with its labels and taints",
      command: `kubectl --kubeconfig kubeconfig.json get configmap -l ${NODE_GROUP_LABEL}=true -o yaml`,
    },
  ],
});

/** Throws `unprocessable`: a group keeps its cluster and its GPUs. */
function assertSameNodes(before: NodeGroupSpec, after: NodeGroupSpec): void {
  for (const name of ["cluster_id", "sku", "region", "purchase_option"] as const)
    if (before[name] !== after[name])
      throw new ServiceError(
        "unprocessable",
        `A node group keeps its ${name}: create another one, and delete this one.`,
        {
          param: `spec.${name}`,
          details: { reason: "fixed_spec" },
        },
      );
}

async function blockerOf(parts: ClusterParts, spec: NodeGroupSpec): Promise<Blocker | undefined> {
  if (spec.purchase_option === "reserved_1y" || spec.purchase_option === "reserved_3y") return NO_TERM;
  return parts.clusterHost.blocker(undefined);
}

const NO_TERM: Blocker = {
  code: "needs_capability",
  message: "Node groups are not sold for terms of years.",
  remedy: "Use on_demand or spot.",
};

const planOf = (spec: NodeGroupSpec, name: string): PlanStep[] => [
  {
    step: "claim",
    what: `${gpusOf(spec)} ${spec.sku} of ${spec.desired_size} nodes in ${spec.region}, from the GPU limit of the tenant unless they are spot`,
    proof: "GET /v1/quotas shows them in use",
  },
  {
    step: "capacity",
    what: `The quota of the cluster grows by the nodes of "${name}"`,
    proof: "kubectl get resourcequota svc-capacity -o yaml",
  },
];
