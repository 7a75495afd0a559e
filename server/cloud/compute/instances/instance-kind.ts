import type { z } from "zod";
import { canonicalJson } from "../../../kernel/canonical-json";
import { ServiceError } from "../../../kernel/errors";
import type { Mode } from "../../../operation/actor";
import { creatorCtx } from "../../core/resources/creator-ctx";
import type { Blocker, DesiredResource, Kind, PlanStep } from "../../core/resources/family";
import { runAsCreator } from "../../core/resources/run-as-creator";
import { assertMayNameSecrets } from "../../data/secrets/assert-may-name-secrets";
import { resolveSecret } from "../../data/secrets/resolve-secret";
import { requireRuntime } from "../placement/require-runtime";
import { isActive } from "../pod-records/pod-states";
import type { GpusOfPod } from "../pod-requests/pod-request";
import { createPodRow } from "../pods/create-pod";
import { deletePod } from "../pods/delete-pod";
import { startPod } from "../pods/start-pod";
import { stopPod } from "../pods/stop-pod";
import type { InstanceCtx, InstanceParts } from "./instance-ctx";
import { imageOf } from "./instance-images";
import { observationOf, podsOf } from "./instance-pod";
import { instanceProgram } from "./instance-program";
import { blockerOfTerm, reservationFor } from "./instance-reservation";
import type { InstanceSpec } from "./instance-spec";

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
  authorizeSpec: async ({ actor, place }, { registry_credentials: credentials }, before) => {
    assertMayNameSecrets(actor, [credentials], [before?.registry_credentials]);
    if (credentials && !before) await resolveSecret(parts(), place, credentials.password);
  },
  assertChange: (before, after) => assertNothingFixedChanges(before, after),
  blockerOf: (spec, place) => blockerOf(parts(), { spec, gpus: gpusOf(spec), ...place }),
  plan: (spec, name) => planOf(spec, { name, hasGpus: gpusOf(spec).gpu !== null }),
  provision: async (desired) => {
    await follow(parts(), desired, gpusOf(desired.spec));
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

/** Makes the pod of an instance what its spec says. */
async function follow<S extends InstanceSpec>(
  parts: InstanceParts,
  desired: DesiredResource<S>,
  gpus: GpusOfPod,
): Promise<void> {
  const pod = (await podsOf(parts, [desired.rid])).get(desired.rid);
  const { running, ports } = desired.spec;
  if (!pod) {
    if (running) await createPod(creatorCtx(parts, desired), desired, gpus);
    return;
  }
  // Specs of earlier versions have no ports.
  if (ports && canonicalJson(ports) !== canonicalJson(pod.ports))
    await parts.db.pod.update({ where: { id: pod.id }, data: { ports } });
  if (running && !isActive(pod.status))
    await runAsCreator(parts, desired, { operation: startPod, sent: { id: pod.id, from: "files" } });
  if (!running && isActive(pod.status))
    await runAsCreator(parts, desired, { operation: stopPod, sent: { id: pod.id } });
}

async function createPod<S extends InstanceSpec>(
  ctx: InstanceCtx,
  desired: DesiredResource<S>,
  gpus: GpusOfPod,
): Promise<void> {
  const { rid, name, spec, mode, projectId: project } = desired;
  const spot = spec.purchase_option === "spot";
  const isReserved = spec.purchase_option === "reserved_1y";
  const reservation = isReserved ? await reservationFor(ctx, { ...desired, gpus }) : undefined;
  // It would cost more without one than was agreed.
  if (isReserved && reservation === undefined) throw noRoom();
  await createPodRow(
    ctx,
    {
      image: imageOf(spec.image_id),
      name,
      ...instanceProgram(spec.user_data),
      mode,
      project,
      ...(gpus.gpu !== null && { gpu: gpus.gpu, gpu_count: gpus.gpuCount, region: gpus.region }),
      spot,
      auto_resume: spot,
      reservation_id: reservation,
      cpu: spec.cpu,
      memory_mb: spec.memory_mb,
      ports: spec.ports ?? [],
      labels: spec.tags,
      registry_credentials: spec.registry_credentials,
      volumes: spec.volumes ?? [],
      network: spec.network,
    },
    { resourceId: rid },
  );
}

async function hasOpenRun({ db }: Pick<InstanceParts, "db">, resourceId: string): Promise<boolean> {
  const open = await db.podRun.findFirst({ where: { pod: { resourceId }, endedAt: null }, select: { id: true } });
  return open !== null;
}

interface AskedBlocker {
  spec: InstanceSpec;
  gpus: GpusOfPod;
  tenantId: string;
  mode: Mode;
}

async function blockerOf(parts: InstanceParts, { spec, gpus, ...place }: AskedBlocker): Promise<Blocker | undefined> {
  const blocker = await blockerOfTerm(parts, spec, { gpus, ...place });
  if (blocker) return blocker;
  try {
    await requireRuntime(parts, { ...gpus, ...place, ports: spec.ports ?? [], volumeGb: null });
    return undefined;
  } catch (failure) {
    if (!(failure instanceof ServiceError) || failure.code !== "unavailable") throw failure;
    const remedy = "Add a machine that can run it (svc node join), or use test mode, where GPUs are simulated.";
    return { code: "engine_missing", message: failure.message, remedy };
  }
}

const noRoom = (): ServiceError =>
  new ServiceError("unavailable", "No reservation of a year has room for it now; it is tried again.", {
    details: { reason: "reservation_full" },
  });

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
