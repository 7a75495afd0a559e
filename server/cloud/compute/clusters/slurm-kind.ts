import { missingForSlurm } from "../../../engines/runtime/oci/host-images";
import { canonicalJson } from "../../../kernel/canonical-json";
import { ServiceError } from "../../../kernel/errors";
import { creatorCtx } from "../../core/resources/creator-ctx";
import type { Blocker, DesiredResource, Kind, Observation, PlanStep, ResourceOwner } from "../../core/resources/family";
import { runAsCreator } from "../../core/resources/run-as-creator";
import { reportingNodes } from "../placement/pod-nodes.sql";
import { requireRuntime } from "../placement/require-runtime";
import { isActive } from "../pod-records/pod-states";
import type { StoredPod } from "../pod-records/stored-pod";
import { deletePod } from "../pods/delete-pod";
import { startPod } from "../pods/start-pod";
import { stopPod } from "../pods/stop-pod";
import type { ClusterCtx, ClusterParts } from "./cluster-ctx";
import { SlurmSpec } from "./cluster-spec";
import { askSlurm, createSlurmPod, slurmImage, slurmPods } from "./slurm-pod";

/** A Slurm that has not responded for so long since its pod is ready does not do what it should. */
const START_MS = 60_000;
const LOOKS_AT_ONCE = 8;

/** Slurm of a cluster: a pod with the controller and all nodes. */
export const slurmKind = (parts: () => ClusterParts): Kind<SlurmSpec> => ({
  spec: SlurmSpec,
  assertChange: assertSame,
  blockerOf: (spec, place) => blockerOf(parts(), spec, place),
  plan: planOf,
  provision: async (desired) => {
    const ctx = creatorCtx(parts(), desired);
    const pod = (await slurmPods(ctx, [desired.rid])).get(desired.rid);
    if (!pod) await createSlurmPod(ctx, desired);
    else if (!isActive(pod.status))
      await runAsCreator(parts(), desired, { operation: startPod, sent: { id: pod.id, from: "files" } });
    return observationOf(ctx, desired, (await slurmPods(ctx, [desired.rid])).get(desired.rid));
  },
  asksPrograms: true,
  observe: (all) => lookAtAll(parts(), all),
  remove: async (desired) => {
    const ctx = parts();
    const pod = (await slurmPods(ctx, [desired.rid])).get(desired.rid);
    if (pod) await runAsCreator(parts(), desired, { operation: deletePod, sent: { id: pod.id } });
    const open = await ctx.db.podRun.count({ where: { pod: { resourceId: desired.rid }, endedAt: null } });
    return open === 0;
  },
  suspend: async (desired) => {
    const pod = (await slurmPods(parts(), [desired.rid])).get(desired.rid);
    if (!pod || !isActive(pod.status)) return true;
    await runAsCreator(parts(), desired, { operation: stopPod, sent: { id: pod.id } });
    return false;
  },
  tryIt: (_wanted, observed) => {
    const { pod_id: id = "" } = observed as { pod_id?: string };
    return [
      { title: "See its partitions", command: `svc pods exec ${id} -- sinfo` },
      { title: "Run a job and wait for its output", command: `svc pods exec ${id} -- srun hostname` },
      { title: "Submit a job", command: `svc pods exec ${id} -- sbatch --wrap 'sleep 60; hostname'` },
    ];
  },
});

/** Throws `unprocessable`: its pod keeps what it was made with. */
function assertSame(before: SlurmSpec, after: SlurmSpec): void {
  if (canonicalJson(before) === canonicalJson(after)) return;
  throw new ServiceError("unprocessable", "A Slurm cannot change: install another one, and delete this one.", {
    param: "spec",
    details: { reason: "fixed_spec" },
  });
}

/** Each look runs a program in a pod, so that only a few run at a time. */
async function lookAtAll(
  parts: ClusterParts,
  all: readonly DesiredResource<SlurmSpec>[],
): Promise<ReadonlyMap<string, Observation>> {
  const rids = all.map(({ rid }) => rid);
  const [pods, seen, left] = [await slurmPods(parts, rids), new Map<string, Observation>(), [...all]];
  const look = async () => {
    for (let one = left.pop(); one; one = left.pop())
      seen.set(one.rid, await observationOf(parts, one, pods.get(one.rid)));
  };
  await Promise.all(Array.from({ length: LOOKS_AT_ONCE }, look));
  return seen;
}

async function observationOf(
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

async function blockerOf(
  parts: ClusterParts,
  spec: SlurmSpec,
  { tenantId, mode }: ResourceOwner,
): Promise<Blocker | undefined> {
  try {
    await requireRuntime(parts, { tenantId, gpu: null, region: null, mode, ports: [], volumeGb: null });
  } catch (failure) {
    if (!(failure instanceof ServiceError) || failure.code !== "unavailable") throw failure;
    return missing(failure.message);
  }
  if (spec.image !== undefined) return undefined;
  const kinds = (await reportingNodes(parts.sql)).map(({ kind }) => kind);
  if (!kinds.includes("namespaces")) return missing("No machine runs pods with the runtime namespaces.");
  const message = await missingForSlurm();
  return message === undefined ? undefined : missing(message);
}

const missing = (message: string): Blocker => ({
  code: "engine_missing",
  message,
  remedy:
    "The operator installs the Debian packages slurmctld, slurmd, slurm-client and munge on the machine that runs pods; or name an image with Slurm and munge.",
});

const planOf = (spec: SlurmSpec, name: string): PlanStep[] => [
  {
    step: "start",
    what: `A pod "${name}" of ${slurmImage(spec)} with munged, slurmctld and a slurmd for each node`,
    proof: "svc pods exec runs sinfo in it, which lists a partition for each node group",
  },
  { step: "run", what: "Jobs of srun and sbatch", proof: "svc pods exec runs srun hostname, and shows its output" },
  { step: "meter", what: "Each second in which its pod runs", proof: "GET /v1/usage has a row of it" },
];
