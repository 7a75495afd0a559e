import type { Prisma } from "../../../engines/postgres/generated/client";
import { assertQuota } from "../../../identity/quotas/assert-quota";
import type { DesiredResource } from "../../core/kinds/kind";
import type { GpuModel } from "../../core/prices/gpu-models";
import { GPU_SKUS } from "../instances/instance-skus";
import { FLEET } from "../pools/fleet";
import { gpuQuota } from "../pools/gpu-quotas";
import type { ClusterParts } from "./cluster-ctx";
import { BASE_CAPACITY, type ClusterCapacity } from "./cluster-manifests";
import type { NodeGroupSpec } from "./cluster-spec";

const PODS_PER_NODE = 110;

/** The GPUs of a node group. */
export const gpusOf = ({ sku, desired_size: nodes }: Pick<NodeGroupSpec, "sku" | "desired_size">): number =>
  nodes * FLEET[GPU_SKUS[sku]].gpusPerNode;

/** Takes the GPUs of a group from the limit of its tenant. Throws `quota_exceeded`. */
export async function claimNodes(
  { db }: Pick<ClusterParts, "db">,
  desired: DesiredResource<NodeGroupSpec>,
): Promise<void> {
  const { rid, tenantId, spec } = desired;
  const { region, purchase_option: purchase, cluster_id: clusterId, desired_size: nodes } = spec;
  const [model, gpus, spot] = [GPU_SKUS[spec.sku], gpusOf(spec), purchase === "spot"];
  await db.$transaction(async (tx) => {
    const quota = gpuQuota(model, region);
    // Takes the lock for which pods of the tenant wait too.
    await assertQuota(tx, { tenantId, adding: 0 }, quota);
    const before = await tx.clusterNodes.findUnique({ where: { rid } });
    const adding = gpus - (before?.gpus ?? 0);
    if (!spot && adding > 0) await assertQuota(tx, { tenantId, adding }, quota);
    const row = { tenantId, clusterId, model, region, nodes, gpus, spot };
    await tx.clusterNodes.upsert({ where: { rid }, create: { rid, ...row }, update: row });
  });
}

export const releaseNodes = ({ db }: Pick<ClusterParts, "db">, rid: string): Promise<unknown> =>
  db.clusterNodes.deleteMany({ where: { rid } });

/** What clusters can have, by their id: the base and their node groups. */
export async function capacitiesOf(
  db: Pick<Prisma.TransactionClient, "clusterNodes">,
  clusters: readonly Pick<DesiredResource, "rid" | "mode">[],
): Promise<ReadonlyMap<string, ClusterCapacity>> {
  const rows = await db.clusterNodes.findMany({ where: { clusterId: { in: clusters.map(({ rid }) => rid) } } });
  const found = clusters.map(({ rid, mode }) => {
    const own = rows.filter(({ clusterId }) => clusterId === rid);
    return [rid, own.reduce((sum, row) => withNodes(sum, { ...row, mode }), BASE_CAPACITY)] as const;
  });
  return new Map(found);
}

interface Nodes extends Pick<DesiredResource, "mode"> {
  model: string;
  nodes: number;
  gpus: number;
}

/** With a test key no pod has a GPU of the Kubernetes. */
function withNodes(sum: ClusterCapacity, { model, nodes, gpus, mode }: Nodes): ClusterCapacity {
  const { cores, memoryGib } = FLEET[model as GpuModel];
  return {
    cores: sum.cores + nodes * cores,
    memoryGib: sum.memoryGib + nodes * memoryGib,
    pods: sum.pods + nodes * PODS_PER_NODE,
    gpus: sum.gpus + (mode === "live" ? gpus : 0),
  };
}
