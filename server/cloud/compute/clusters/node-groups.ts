import { ServiceError } from "../../../kernel/errors";
import type { DesiredResource, Observation } from "../../core/kinds/kind";
import { GPU_SKUS } from "../instances/instance-skus";
import { claimNodes, gpusOf, releaseNodes } from "./cluster-capacity";
import type { ClusterParts } from "./cluster-ctx";
import { groupManifest, NODE_GROUP_LABEL } from "./cluster-manifests";
import { applyQuota, listOf } from "./cluster-objects";
import type { NodeGroupSpec } from "./cluster-spec";

/**
 * Claims the nodes of a group and adds them to the quota of its cluster. Returns false while the cluster is not usable.
 * Throws `conflict` (reason `no_cluster`).
 */
export async function applyNodeGroup(parts: ClusterParts, desired: DesiredResource<NodeGroupSpec>): Promise<boolean> {
  const { db, clusterHost } = parts;
  const cluster = await stateOfCluster(parts, desired);
  if (cluster === undefined || cluster === "deleting")
    throw new ServiceError("conflict", "Its project and mode have no such cluster.", {
      details: { reason: "no_cluster" },
    });
  if (!USABLE.has(cluster)) return false;
  await claimNodes({ db }, desired);
  const { path, body } = groupManifest(manifestOf(desired));
  await clusterHost.use(async (api) => {
    await api.apply(path, body);
    await applyQuota({ db }, api, clusterOf(desired));
  });
  return true;
}

/** Takes the nodes of a group away, also from the quota of its cluster. */
export async function removeNodeGroup(parts: ClusterParts, desired: DesiredResource<NodeGroupSpec>): Promise<void> {
  await takeAwayNodes(parts, desired);
  const cluster = await stateOfCluster(parts, desired);
  // Another state has another quota, or none.
  if (cluster && USABLE.has(cluster)) await parts.clusterHost.use((api) => applyQuota(parts, api, clusterOf(desired)));
}

/** Releases the nodes of a group; the quota of its cluster stays. */
export async function takeAwayNodes(parts: ClusterParts, desired: DesiredResource<NodeGroupSpec>): Promise<void> {
  const { path } = groupManifest(manifestOf(desired));
  await parts.clusterHost.use((api) => api.find({ method: "DELETE", path }));
  await releaseNodes(parts, desired.rid);
}

/** What groups are in Kubernetes, by the id of the resource. */
export async function readNodeGroups(
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

/** A person may name a cluster of another project or mode, which the group then cannot use. */
async function stateOfCluster(
  { db }: ClusterParts,
  desired: DesiredResource<NodeGroupSpec>,
): Promise<string | undefined> {
  const { tenantId, projectId, mode, spec } = desired;
  const where = { id: spec.cluster_id, tenantId, projectId, mode, archivedAt: null };
  return (await db.resource.findFirst({ where, select: { state: true } }))?.state;
}
