import { z } from "zod";
import { recordAudit } from "../../identity/audit/record-audit";
import { newEvent } from "../../identity/events/record-event";
import { findProject } from "../../identity/projects/find-project";
import { assertQuota } from "../../identity/quotas/assert-quota";
import { ServiceError } from "../../kernel/errors";
import { newId } from "../../kernel/ids";
import { type Actor, type Mode, modeOf } from "../../operation/actor";
import type { CloudCtx } from "../cloud-ctx";
import { operation } from "../cloud-operation";
import { FLEET, type GpuModel, type Region } from "../gpu-pools/fleet";
import { gpuQuota } from "../gpu-pools/gpu-quotas";
import { CLOUD_QUOTAS } from "../quotas/cloud-quotas";
import { assertReservationRoom, reservationOfPod } from "../reserved-gpus/reservation-room";
import { resolveSecret } from "../secrets/resolve-secret";
import type { SecretPlace } from "../secrets/secret";
import { assertGangRoom } from "./gang";
import { type PlaceCtx, placeRun } from "./place-run";
import { LAST_RUN, originOf, POD_ID_PREFIX, Pod, podTarget, purchaseOf, runIdOf, toPod } from "./pod";
import { podCreated } from "./pod.events";
import { podExample } from "./pod.example";
import { priceNanosPerHour } from "./pod-cost";
import { modelOf, placeFields, podFields } from "./pod-fields";
import { STATES_TEXT } from "./pod-states";
import { addToTimeline } from "./pod-timeline";
import { requireRuntime } from "./require-runtime";
import { wakePods } from "./wake-pods";

const LIFETIME_MS = 30 * 24 * 3600 * 1000;
const NAME_DIGITS = 6;

export const CreatePod = z.strictObject({
  image: podFields.image,
  registry_credentials: podFields.registry_credentials.optional(),
  name: podFields.name.optional(),
  gpu: podFields.gpu.optional(),
  gpu_count: podFields.gpu_count.optional(),
  spot: podFields.spot.default(false),
  auto_resume: podFields.auto_resume.default(false),
  reservation_id: podFields.reservation_id.optional(),
  gang: podFields.gang.optional(),
  region: podFields.region.optional(),
  command: podFields.command.optional(),
  env: podFields.env.default({}),
  cpu: podFields.cpu.default(1),
  memory_mb: podFields.memory_mb.default(512),
  labels: podFields.labels.default({}),
  ...placeFields,
});
type CreatePod = z.output<typeof CreatePod>;

/**
 * Creates a pod, which starts as soon as there is capacity. Throws `unavailable` (reasons `no_runtime`, `no_capacity`),
 * `not_found` for the project or the reservation, `conflict` for a reservation or a gang without room or a gang of other pods, `unprocessable` for a secret that does not exist, `forbidden` for one without
 * `secrets:reveal`, and `quota_exceeded` for the pods of the tenant or the GPUs of its region.
 */
export const createPod = operation({
  id: "createPod",
  summary: "Create a pod, which runs a container image",
  description: `${STATES_TEXT} With a test key GPUs are simulated: the process is real, but has none. With a live key a pod with GPUs is 503 with the reason \`no_capacity\`, because this installation has none. Where no runtime works, every pod is 503 with the reason \`no_runtime\`. Pods have no network.`,
  access: "pods:write",
  cost: "normal",
  idempotent: true,
  result: "accepted",
  input: CreatePod,
  output: Pod,
  example: {
    input: { image: podExample.image, gpu: "h100", gpu_count: 2, env: podExample.env, labels: podExample.labels },
    output: podExample,
  },
  run: async (ctx: CloudCtx, asked) => {
    const { db, clock, actor, currency } = ctx;
    const mode = modeOf(actor, asked.mode);
    const input = await withReservation(ctx, mode, asked);
    const gpus = gpusOf(input);
    await requireRuntime(ctx, { mode, gpu: gpus.gpu });
    assertMayUseSecrets(actor, input);
    const made = await db.$transaction(async (tx) => {
      const { tenantId } = actor;
      await assertQuota(tx, { tenantId }, CLOUD_QUOTAS.pods);
      if (gpus.gpu && purchaseOf(input) === "on_demand")
        await assertQuota(tx, { tenantId, adding: gpus.gpuCount }, gpuQuota(gpus.gpu, gpus.region));
      const project = await findProject(tx, actor, input.project);
      const place = { tenantId, projectId: project.id, mode };
      await assertSecrets(ctx, place, secretsOf(input));
      const now = clock.now();
      const { reservationId } = input;
      if (reservationId !== null) await assertReservationRoom(tx, { id: reservationId, gpuCount: gpus.gpuCount, now });
      const id = await insertPod({ ...ctx, db: tx }, { place, input, gpus, now });
      const row = await tx.pod.findUniqueOrThrow({ where: { id }, include: LAST_RUN });
      const pod = toPod(row, { now, currency });
      const { env: _env, command: _command, ...details } = pod;
      await recordAudit(tx, ctx, {
        action: "pod.created",
        targets: [podTarget(row)],
        details,
        events: [newEvent(podCreated, pod, originOf(row))],
      });
      return pod;
    });
    await wakePods(ctx.counters);
    return made;
  },
});

/** What is to be created, with the model and region of its reservation. */
type Asked = CreatePod & { reservationId: string | null };

async function withReservation({ db, actor }: CloudCtx, mode: Mode, asked: CreatePod): Promise<Asked> {
  const { reservation_id: id, gpu, region, spot } = asked;
  if (id === undefined) return { ...asked, reservationId: null };
  if (spot) throw invalid("spot", "a pod of a reservation is not spot");
  if (asked.gang) throw invalid("gang", "a pod of a reservation has none");
  const reserved = await reservationOfPod(db, { tenantId: actor.tenantId, mode, id });
  if (gpu !== undefined && modelOf(gpu) !== reserved.gpu) throw invalid("gpu", `the reservation has ${reserved.gpu}`);
  if (region !== undefined && region !== reserved.region)
    throw invalid("region", `the reservation is in ${reserved.region}`);
  return { ...asked, gpu: reserved.gpu, region: reserved.region as Region, reservationId: id };
}

type Gpus = { gpu: GpuModel; gpuCount: number; region: Region } | { gpu: null; gpuCount: 0; region: null };

/** Throws `invalid_request` for fields that only pods with GPUs have, and for more GPUs than a node has. */
function gpusOf({ gpu, gpu_count: count, region, spot, auto_resume: autoResume, gang }: CreatePod): Gpus {
  if (autoResume && !spot) throw invalid("auto_resume", "only pods with spot have it");
  if (gpu === undefined) {
    const given = { gpu_count: count !== undefined, region: region !== undefined, spot, gang: gang !== undefined };
    const [param] = Object.entries(given).flatMap(([name, isGiven]) => (isGiven ? name : []));
    if (param !== undefined) throw invalid(param, "only pods with gpu have it");
    return { gpu: null, gpuCount: 0, region: null };
  }
  const model = modelOf(gpu);
  const { gpusPerNode } = FLEET[model];
  if (count !== undefined && count > gpusPerNode) {
    throw invalid("gpu_count", `a node has ${gpusPerNode} ${model} GPUs, and a pod runs on one node`);
  }
  return { gpu: model, gpuCount: count ?? 1, region: region ?? "use" };
}

const invalid = (param: string, why: string): ServiceError =>
  new ServiceError("invalid_request", `${param}: ${why}.`, { param });

/** A pod and a registry can pass on what they receive, so naming a secret is as good as reading it. */
function assertMayUseSecrets({ scopes }: Actor, input: CreatePod): void {
  if (scopes.has("secrets:reveal") || secretsOf(input).length === 0) return;
  const param = input.registry_credentials ? "registry_credentials" : "env";
  throw new ServiceError("forbidden", "To give a secret to a pod, the caller needs the scope secrets:reveal.", {
    param,
    details: { reason: "scope_missing", scope: "secrets:reveal" },
  });
}

async function assertSecrets(ctx: CloudCtx, place: SecretPlace, names: readonly string[]): Promise<void> {
  for (const secret of new Set(names)) await resolveSecret(ctx, place, { secret });
}

const secretsOf = ({ env, registry_credentials: credentials }: CreatePod): string[] =>
  [...Object.values(env), ...(credentials ? [credentials.password] : [])].flatMap((value) =>
    typeof value === "string" ? [] : value.secret,
  );

interface NewPod {
  place: { tenantId: string; projectId: string; mode: "test" | "live" };
  input: Asked;
  gpus: Gpus;
  now: Date;
}

/** Inserts a pod with its first run, and places that if there is capacity. Returns the id. */
async function insertPod(ctx: PlaceCtx, { place, input, gpus, now }: NewPod): Promise<string> {
  const { db: tx } = ctx;
  const id = newId(POD_ID_PREFIX, now.getTime());
  const { image, name = `pod-${id.slice(-NAME_DIGITS)}`, command, env, cpu, memory_mb: memoryMb, labels, spot } = input;
  const purchase = purchaseOf(input);
  const gang = { gangName: input.gang?.name ?? null, gangSize: input.gang?.size ?? null };
  await assertGangRoom(tx, { ...place, ...gpus, ...gang, cpu, memoryMb, spot });
  const row = await tx.pod.create({
    data: {
      ...{ id, ...place, name, image, ...gpus, cpu, memoryMb, env, labels, spot },
      ...{ autoResume: input.auto_resume, reservationId: input.reservationId, ...gang },
      ...(command && { command }),
      ...(input.registry_credentials && { registryCredentials: input.registry_credentials }),
      ...{ status: "pending", oomKilled: false, runNumber: 1, meteredSeconds: 0 },
      priceNanosPerHour: priceNanosPerHour({ purchase, ...gpus, cpu, memoryMb }),
      ...{ createdAt: now, expiresAt: new Date(now.getTime() + LIFETIME_MS) },
      runs: { create: { id: runIdOf(id, 1), number: 1, createdAt: now } },
    },
  });
  await addToTimeline(tx, row, { type: "created", message: `The pod was created from ${image}.`, at: now });
  await placeRun(ctx, row, now);
  return id;
}
