import { canonicalJson } from "../../../kernel/canonical-json";
import { ServiceError } from "../../../kernel/errors";
import type { ClusterParts } from "../../compute/clusters/cluster-ctx";
import { SlurmSpec } from "../../compute/clusters/cluster-spec";
import { observationOfSlurm, readSlurms } from "../../compute/clusters/read-slurms";
import { blockerOfSlurm } from "../../compute/clusters/slurm-blocker";
import { createSlurmPod, slurmImage, slurmPods } from "../../compute/clusters/slurm-pod";
import { isActive } from "../../compute/pod-records/pod-states";
import { deletePod } from "../../compute/pods/delete-pod";
import { startPod } from "../../compute/pods/start-pod";
import { stopPod } from "../../compute/pods/stop-pod";
import { creatorCtx } from "../../core/kinds/creator-ctx";
import type { Kind, PlanStep } from "../../core/kinds/kind";
import { runAsCreator } from "../../core/kinds/run-as-creator";

/** Slurm of a cluster: a pod with the controller and all nodes. */
export const slurmKind = (parts: () => ClusterParts): Kind<SlurmSpec> => ({
  spec: SlurmSpec,
  assertChange: assertSame,
  blockerOf: (spec, owner) => blockerOfSlurm(parts(), spec, owner),
  plan: planOf,
  provision: async (desired) => {
    const ctx = creatorCtx(parts(), desired);
    const pod = (await slurmPods(ctx, [desired.rid])).get(desired.rid);
    if (!pod) await createSlurmPod(ctx, desired);
    else if (!isActive(pod.status))
      await runAsCreator(parts(), desired, { operation: startPod, sent: { id: pod.id, from: "files" } });
    return observationOfSlurm(ctx, desired, (await slurmPods(ctx, [desired.rid])).get(desired.rid));
  },
  asksPrograms: true,
  observe: (all) => readSlurms(parts(), all),
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

const planOf = (spec: SlurmSpec, name: string): PlanStep[] => [
  {
    step: "start",
    what: `A pod "${name}" of ${slurmImage(spec)} with munged, slurmctld and a slurmd for each node`,
    proof: "svc pods exec runs sinfo in it, which lists a partition for each node group",
  },
  { step: "run", what: "Jobs of srun and sbatch", proof: "svc pods exec runs srun hostname, and shows its output" },
  { step: "meter", what: "Each second in which its pod runs", proof: "GET /v1/usage has a row of it" },
];
