import type { DesiredResource, Observation } from "../../core/kinds/kind";
import { isActive } from "../pod-records/pod-states";
import type { StoredPod } from "../pod-records/stored-pod";
import type { ClusterCtx, ClusterParts } from "./cluster-ctx";
import type { SlurmSpec } from "./cluster-spec";
import { askSlurm, slurmImage, slurmPods } from "./slurm-pod";

/** A Slurm that has not responded for so long since its pod is ready does not do what it should. */
const START_MS = 60_000;
const LOOKS_AT_ONCE = 8;

/** What Slurms are, by the id of the resource. Each look runs a program in a pod, so that only a few run at a time. */
export async function readSlurms(
  parts: ClusterParts,
  all: readonly DesiredResource<SlurmSpec>[],
): Promise<ReadonlyMap<string, Observation>> {
  const rids = all.map(({ rid }) => rid);
  const [pods, seen, left] = [await slurmPods(parts, rids), new Map<string, Observation>(), [...all]];
  const look = async () => {
    for (let one = left.pop(); one; one = left.pop())
      seen.set(one.rid, await observationOfSlurm(parts, one, pods.get(one.rid)));
  };
  await Promise.all(Array.from({ length: LOOKS_AT_ONCE }, look));
  return seen;
}

/** What a Slurm is; its pod is asked for its partitions. */
export async function observationOfSlurm(
  parts: Pick<ClusterCtx, "db" | "podRuns" | "encryptionKey" | "stopping" | "clock">,
  { spec, mode }: DesiredResource<SlurmSpec>,
  pod: StoredPod | undefined,
): Promise<Observation> {
  if (!pod) return { is: "absent" };
  const cluster = await parts.db.resource.findFirst({ where: { id: spec.cluster_id, archivedAt: null } });
  const observed = {
    pod_id: pod.id,
    status: pod.status,
    image: slurmImage(spec),
    cluster_id: spec.cluster_id,
    runs_on: "a pod of svc",
    cluster_state: cluster?.state ?? "deleted",
    gpus: mode === "test" ? "simulated: jobs can request them, and get no device" : "none",
  };
  if (pod.status !== "ready") return withoutSlurm(pod, observed);
  const partitions = await askSlurm(parts, pod);
  if (partitions === undefined) {
    const since = pod.runs[0]?.startedAt?.getTime() ?? pod.createdAt.getTime();
    if (parts.clock.now().getTime() - since < START_MS) return { is: "changing", observed };
    return { is: "faulty", observed, message: "Slurm does not respond in its pod; see its logs." };
  }
  const all = { ...observed, partitions };
  return cluster
    ? { is: "present", observed: all }
    : { is: "faulty", observed: all, message: "Its cluster was deleted; delete it too." };
}

/** A pod that was stopped is started again; one that failed says why. */
function withoutSlurm(pod: StoredPod, observed: Extract<Observation, { is: "changing" }>["observed"]): Observation {
  if (isActive(pod.status)) return { is: "changing", observed };
  if (pod.status === "stopped") return { is: "absent" };
  return { is: "faulty", observed, message: pod.reasonText ?? "Its pod ended." };
}
