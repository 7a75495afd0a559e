import type { z } from "zod";
import { canonicalJson } from "../../../kernel/canonical-json";
import { ServiceError } from "../../../kernel/errors";
import { followInstance } from "../../compute/instances/follow-instance";
import { blockerOfInstance } from "../../compute/instances/instance-blocker";
import type { InstanceParts } from "../../compute/instances/instance-ctx";
import { imageOf } from "../../compute/instances/instance-images";
import { hasOpenRun, observationOf, podsOf } from "../../compute/instances/instance-pod";
import type { InstanceSpec } from "../../compute/instances/instance-spec";
import { isActive } from "../../compute/pod-records/pod-states";
import type { GpusOfPod } from "../../compute/pod-requests/pod-request";
import { deletePod } from "../../compute/pods/delete-pod";
import { stopPod } from "../../compute/pods/stop-pod";
import type { Kind, PlanStep } from "../../core/kinds/kind";
import { runAsCreator } from "../../core/kinds/run-as-creator";
import { assertMayNameSecrets } from "../../data/secrets/assert-may-name-secrets";
import { resolveSecret } from "../../data/secrets/resolve-secret";

/** What the descriptions of the tools have in common. */
export const ABOUT_INSTANCES =
  "It is metered by the second until it is stopped or deleted; observed.pod_id is the pod for svc_pods_exec and svc_pods_logs. With a test key GPUs are simulated: the node is real, but has none.";

interface InstanceKind<S extends InstanceSpec> {
  spec: z.ZodType<S>;
  /** The GPUs of an instance. */
  gpusOf: (spec: S) => GpusOfPod;
}

/** A kind of instance: a pod that waits for what its owner does with it, and stays until it is deleted. */
export const instanceKind = <S extends InstanceSpec>(
  parts: () => InstanceParts,
  { spec: schema, gpusOf }: InstanceKind<S>,
): Kind<S> => ({
  spec: schema,
  // Its pod wakes it.
  driftSeconds: 600,
  authorizeSpec: async ({ actor, owner }, { registry_credentials: credentials }, before) => {
    assertMayNameSecrets(actor, [credentials], [before?.registry_credentials]);
    if (credentials && !before) await resolveSecret(parts(), owner, credentials.password);
  },
  assertChange: (before, after) => assertNothingFixedChanges(before, after),
  blockerOf: (spec, owner) => blockerOfInstance(parts(), { spec, gpus: gpusOf(spec), ...owner }),
  plan: (spec, name) => planOf(spec, { name, hasGpus: gpusOf(spec).gpu !== null }),
  provision: async (desired) => {
    await followInstance(parts(), desired, gpusOf(desired.spec));
    const { currency, ...ctx } = parts();
    return observationOf(desired.spec, (await podsOf(ctx, [desired.rid])).get(desired.rid), currency);
  },
  observe: async (all) => {
    const { currency, ...ctx } = parts();
    const pods = await podsOf(
      ctx,
      all.map(({ rid }) => rid),
    );
    return new Map(all.map(({ rid, spec }) => [rid, observationOf(spec, pods.get(rid), currency)]));
  },
  remove: async (desired) => {
    const pod = (await podsOf(parts(), [desired.rid])).get(desired.rid);
    if (pod) await runAsCreator(parts(), desired, { operation: deletePod, sent: { id: pod.id } });
    return !(await hasOpenRun(parts(), desired.rid));
  },
  suspend: async (desired) => {
    const pod = (await podsOf(parts(), [desired.rid])).get(desired.rid);
    if (!pod || !isActive(pod.status)) return true;
    await runAsCreator(parts(), desired, { operation: stopPod, sent: { id: pod.id } });
    return false;
  },
  tryIt: ({ spec }, observed) => {
    const { pod_id: id = "" } = observed as { pod_id?: string };
    return spec.running
      ? [
          { title: "Open a shell", command: `svc pods shell ${id}` },
          { title: "Run a program in it", command: `svc pods exec ${id} -- uname -a` },
          { title: "Read its output", command: `svc pods logs ${id}` },
        ]
      : [];
  },
});

/** Throws `unprocessable`: a pod keeps its image, GPUs, cores and memory. */
function assertNothingFixedChanges<S extends InstanceSpec>(before: S, after: S): void {
  // Specs of earlier versions have no volumes.
  const fixed = (spec: S) => canonicalJson({ ...spec, volumes: spec.volumes ?? [], ports: [], running: true });
  if (fixed(before) === fixed(after)) return;
  throw new ServiceError(
    "unprocessable",
    "Only `running` and `ports` of an instance can change: create another instance, and delete this one.",
    { param: "spec", details: { reason: "fixed_spec" } },
  );
}

const planOf = (spec: InstanceSpec, { name, hasGpus }: { name: string; hasGpus: boolean }): PlanStep[] => [
  {
    step: "place",
    what: `A place for ${spec.sku} with ${spec.cpu} cores and ${spec.memory_mb} MiB of memory`,
    proof: hasGpus ? "GET /v1/gpu-pools shows its GPUs in use" : "GET /v1/pods has its pod",
  },
  {
    step: "start",
    what: `The image ${imageOf(spec.image_id)} runs as "${name}"${spec.user_data === "" ? "" : ", then user_data once"}`,
    proof: "svc pods exec runs a program in it",
  },
  { step: "meter", what: "Each second in which it runs", proof: "GET /v1/usage has a row of it" },
];
