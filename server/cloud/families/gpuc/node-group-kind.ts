import { ServiceError } from "../../../kernel/errors";
import { claimNodes, gpusOf, releaseNodes } from "../../compute/clusters/cluster-capacity";
import type { ClusterParts } from "../../compute/clusters/cluster-ctx";
import { groupManifest, NODE_GROUP_LABEL } from "../../compute/clusters/cluster-manifests";
import { applyQuota, listOf } from "../../compute/clusters/cluster-objects";
import { NodeGroupSpec } from "../../compute/clusters/cluster-spec";
import { GPU_SKUS } from "../../compute/instances/instance-skus";
import type { Blocker, DesiredResource, Kind, Observation, PlanStep } from "../../core/kinds/kind";

/** Nodes of a cluster: capacity that its quota grows by. */
export const nodeGroupKind = (parts: () => ClusterParts): Kind<NodeGroupSpec> => ({
  spec: NodeGroupSpec,
  assertChange: assertSameNodes,
  blockerOf: (spec) => blockerOf(parts(), spec),
  plan: planOf,
  provision: async (desired) => {
    const { db, clusterHost } = parts();
    const cluster = await stateOfCluster(parts(), desired);
    if (cluster === undefined || cluster === "deleting")
      throw new ServiceError("conflict", "Its project and mode have no such cluster.", {
        details: { reason: "no_cluster" },
      });
    // It follows its cluster.
    if (!USABLE.has(cluster)) return { is: "changing", observed: {} };
    await claimNodes({ db }, desired);
    const { path, body } = groupManifest(manifestOf(desired));
    await clusterHost.use(async (api) => {
      await api.apply(path, body);
      await applyQuota({ db }, api, clusterOf(desired));
    });
    return (await lookAt(parts(), [desired])).get(desired.rid) ?? { is: "absent" };
  },
  observe: (all) => lookAt(parts(), all),
  remove: async (desired) => {
    await takeAway(parts(), desired);
    const cluster = await stateOfCluster(parts(), desired);
    // Another state has another quota, or none.
    if (cluster && USABLE.has(cluster))
      await parts().clusterHost.use((api) => applyQuota(parts(), api, clusterOf(desired)));
    return true;
  },
  suspend: async (desired) => {
    await takeAway(parts(), desired);
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

const USABLE: ReadonlySet<string> = new Set(["ready", "degraded"]);

const clusterOf = ({ spec, mode }: DesiredResource<NodeGroupSpec>) => ({ rid: spec.cluster_id, mode });

const manifestOf = ({ rid, name, spec }: DesiredResource<NodeGroupSpec>) => ({
  clusterId: spec.cluster_id,
  rid,
  name,
  sku: spec.sku,
  nodes: spec.desired_size,
  gpus: gpusOf(spec),
  labels: spec.labels,
  taints: spec.taints,
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

/** A person may name a cluster of another project or mode, which the group then cannot use. */
async function stateOfCluster(
  { db }: ClusterParts,
  desired: DesiredResource<NodeGroupSpec>,
): Promise<string | undefined> {
  const { tenantId, projectId, mode, spec } = desired;
  const where = { id: spec.cluster_id, tenantId, projectId, mode, archivedAt: null };
  return (await db.resource.findFirst({ where, select: { state: true } }))?.state;
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

async function takeAway(parts: ClusterParts, desired: DesiredResource<NodeGroupSpec>): Promise<void> {
  const { path } = groupManifest(manifestOf(desired));
  await parts.clusterHost.use((api) => api.find({ method: "DELETE", path }));
  await releaseNodes(parts, desired.rid);
}

async function lookAt(
  parts: ClusterParts,
  all: readonly DesiredResource<NodeGroupSpec>[],
): Promise<ReadonlyMap<string, Observation>> {
  const [maps, claims] = await Promise.all([
    parts.clusterHost.use((api) => listOf(api, "/api/v1/configmaps", NODE_GROUP_LABEL)),
    parts.db.clusterNodes.findMany({ where: { rid: { in: all.map(({ rid }) => rid) } } }),
  ]);
  const dataAt = new Map(maps.map(({ metadata, data }) => [`${metadata.namespace}/${metadata.name}`, data ?? {}]));
  const nodesOf = new Map(claims.map(({ rid, nodes }) => [rid, nodes]));
  return new Map(
    all.map((desired): [string, Observation] => {
      const { body } = groupManifest(manifestOf(desired));
      const { metadata, data } = body;
      const found = dataAt.get(`${metadata.namespace}/${metadata.name}`);
      const isSame = found && Object.entries(data).every(([name, text]) => found[name] === text);
      const isThere = isSame && nodesOf.get(desired.rid) === desired.spec.desired_size;
      return [desired.rid, isThere ? { is: "present", observed: observedOf(desired) } : { is: "absent" }];
    }),
  );
}

const observedOf = ({ spec, mode }: DesiredResource<NodeGroupSpec>) => ({
  cluster_id: spec.cluster_id,
  nodes: spec.desired_size,
  gpu: GPU_SKUS[spec.sku],
  gpus: gpusOf(spec),
  // They are a share of the Kubernetes, whose nodes keep their own labels and taints.
  capacity: "quota",
  dedicated_nodes: false,
  simulated_gpus: mode === "test",
});

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
