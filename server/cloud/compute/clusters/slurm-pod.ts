import { SLURM_IMAGE } from "../../../engines/runtime/oci/host-images";
import type { ActorCtx } from "../../../identity/identity-ctx";
import type { Json } from "../../../identity/stored-json";
import type { DesiredResource } from "../../core/kinds/kind";
import { runInside } from "../inside/run-inside";
import { GPU_SKUS } from "../instances/instance-skus";
import { LAST_RUN, type StoredPod } from "../pod-records/stored-pod";
import { createPodRow } from "../pods/create-pod";
import { reachRun } from "../pods/reach-run";
import { FLEET } from "../pools/fleet";
import type { ClusterCtx, ClusterParts } from "./cluster-ctx";
import { NodeGroupSpec, type SlurmSpec } from "./cluster-spec";
import { NODE_GROUP_KIND } from "./find-cluster";
import { fittingPartitions, type SlurmPartition, slurmFiles } from "./slurm-conf";
import { partitionName, slurmProgram } from "./slurm-program";

const LOOK_BYTES_MAX = 64 * 1024;
const LOOK = "sinfo --noheader --format '%R %D'";

export const slurmImage = ({ image }: SlurmSpec): string => image ?? SLURM_IMAGE;

/** The pods of Slurms that are not deleted, by the id of the resource. */
export async function slurmPods(
  { db }: Pick<ClusterParts, "db">,
  rids: readonly string[],
): Promise<ReadonlyMap<string, StoredPod>> {
  const rows = await db.pod.findMany({ where: { resourceId: { in: [...rids] }, deletedAt: null }, include: LAST_RUN });
  return new Map(rows.map((row) => [row.resourceId ?? "", row]));
}

/** Creates the pod, with a partition for each node group that the cluster has now. */
export async function createSlurmPod(
  ctx: ActorCtx &
    Pick<ClusterCtx, "currency" | "gpuPools" | "podRuns" | "publicUrl" | "secretsKey" | "sql" | "storedBytes">,
  desired: DesiredResource<SlurmSpec>,
): Promise<void> {
  const { rid, name, spec, mode, projectId: project } = desired;
  const partitions = fittingPartitions(await partitionsOf(ctx, desired));
  const files = slurmFiles({ partitions, cores: Math.max(1, Math.floor(spec.cpu)), memoryMb: spec.memory_mb });
  await createPodRow(
    ctx,
    {
      image: slurmImage(spec),
      name,
      ...slurmProgram(files, partitions),
      mode,
      project,
      spot: false,
      auto_resume: false,
      cpu: spec.cpu,
      memory_mb: spec.memory_mb,
      ports: [],
      labels: {},
      volumes: [],
    },
    { resourceId: rid },
  );
}

/** GPUs of test keys are simulated: jobs ask for them, and have none. No Slurm has real ones. */
async function partitionsOf(
  { db }: Pick<ClusterParts, "db">,
  desired: DesiredResource<SlurmSpec>,
): Promise<SlurmPartition[]> {
  const { tenantId, mode, spec } = desired;
  const rows = await db.resource.findMany({
    where: {
      tenantId,
      mode,
      plane: "gpuc",
      service: "cks",
      kind: NODE_GROUP_KIND,
      archivedAt: null,
      spec: { path: ["cluster_id"], equals: spec.cluster_id },
      state: { not: "deleting" },
    },
    orderBy: { id: "asc" },
    take: 100,
  });
  const names = new Set<string>();
  return rows.map(({ name, spec: stored }) => {
    const { sku, desired_size: nodes } = NodeGroupSpec.parse(stored);
    const model = GPU_SKUS[sku];
    const gpus = mode === "test" ? { model, perNode: FLEET[model].gpusPerNode } : undefined;
    return { name: partitionName(name, names), nodes, gpus };
  });
}

/** The partitions that Slurm itself reports, with how many nodes each has; undefined: it does not respond. */
export async function askSlurm(
  ctx: Pick<ClusterParts, "podRuns" | "encryptionKey" | "stopping">,
  pod: StoredPod,
): Promise<Json | undefined> {
  try {
    const reached = await reachRun(ctx, pod);
    if (!reached) return undefined;
    const signal = AbortSignal.any([ctx.stopping, AbortSignal.timeout(LOOK_MS)]);
    const script = { script: LOOK, path: "/", bytesMax: LOOK_BYTES_MAX };
    return countsOf((await runInside({ ...reached, signal }, script)).toString("utf8"));
  } catch {
    // Whatever the reason is, jobs cannot be submitted now.
    return undefined;
  }
}

const LOOK_MS = 8000;

/** One line for each partition and state of nodes. */
function countsOf(text: string): Json | undefined {
  const counts = new Map<string, number>();
  for (const line of text.split("\n")) {
    const [name = "", count = ""] = line.trim().split(" ");
    if (name !== "" && /^\d+$/.test(count)) counts.set(name, (counts.get(name) ?? 0) + Number(count));
  }
  return counts.size === 0 ? undefined : [...counts].map(([name, nodes]) => ({ name, nodes }));
}
