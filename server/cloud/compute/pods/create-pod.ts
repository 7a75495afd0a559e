import { z } from "zod";
import type { Prisma } from "../../../engines/postgres/generated/client";
import { recordAudit } from "../../../identity/audit/record-audit";
import { newEvent } from "../../../identity/events/record-event";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { findProject } from "../../../identity/projects/find-project";
import { newId } from "../../../kernel/ids";
import { operation } from "../../cloud-operation";
import { attachPod, type NetworkOfPod } from "../../net/private-networks/attach-pod";
import { insertPod } from "../placement/insert-pod";
import type { PlaceCtx } from "../placement/place-run";
import { requireRuntime } from "../placement/require-runtime";
import { assertGangRoom } from "../pod-records/gang";
import { STATES_TEXT } from "../pod-records/pod-states";
import { LAST_RUN, LIFETIME_MS, originOf, POD_ID_PREFIX } from "../pod-records/stored-pod";
import { assertPodQuotas, lockPodQuotas } from "../pod-requests/assert-pod-quotas";
import {
  abilitiesOf,
  assertMayUseSecrets,
  assertSecrets,
  type GpusOfPod,
  newPodFields,
  type PodRequest,
  readPodRequest,
} from "../pod-requests/pod-request";
import { assertReservationRoom } from "../reserved-gpus/reservation-room";
import { Pod, podTarget, toPod } from "./pod";
import { podCreated } from "./pod.events";
import { podExample } from "./pod.example";
import type { PodsCtx } from "./pods-ctx";

const NAME_DIGITS = 6;
const INSTANCE_LIFETIME_MS = 100 * 365 * 24 * 3600 * 1000;

const Input = z.strictObject(newPodFields);

/**
 * Creates a pod, which starts as soon as there is capacity. Throws `unavailable` (reasons `no_runtime`, `no_capacity`,
 * `ports_unsupported`, `volume_unsupported`), `not_found` for the project, the reservation or a shared volume, `conflict` for a
 * reservation or a gang without room or a gang of other pods, `unprocessable` for a secret or a network that does not exist,
 * `forbidden` for one without `secrets:reveal`, and `quota_exceeded` for the pods or volumes of the tenant or the GPUs of
 * its region.
 */
export const createPod = operation({
  id: "createPod",
  summary: "Create a pod, which runs a container image",
  description: `${STATES_TEXT} With a test key GPUs are simulated: the process is real, but has none. With a live key it has GPUs of a node, and is 503 with the reason \`no_capacity\` if no node of the installation has such GPUs in the region. Where no runtime works, every pod is 503 with the reason \`no_runtime\`, and where pods are plain processes of the node, every pod of a live key. Pods reach public addresses by HTTP and HTTPS, through the proxy that variables such as \`HTTPS_PROXY\` name; they have no other network. HTTP servers on their \`ports\` are reached through svc. Where a Kubernetes cluster runs them they have no network; \`ports\` are then 503 with the reason \`ports_unsupported\`. A \`volume\` keeps its files from run to run and is deleted with the pod; where no node keeps volumes it is 503 with the reason \`volume_unsupported\`. With \`volumes\` it runs on the node that has them, and waits with the reason \`node_away\` while that does not report; a volume that is being made or deleted, or whose service is not activated, is 409 with the reason \`volume_not_ready\` or \`volume_suspended\`.`,
  access: "pods:write",
  stores: true,
  idempotent: true,
  result: "accepted",
  input: Input,
  output: Pod,
  example: {
    input: { image: podExample.image, gpu: "h100", gpu_count: 2, env: podExample.env, labels: podExample.labels },
    output: podExample,
  },
  run: (
    ctx: ActorCtx &
      Pick<PodsCtx, "currency" | "gpuPools" | "podRuns" | "publicUrl" | "secretsKey" | "sql" | "storedBytes">,
    asked,
  ) => createPodRow(ctx, asked),
});

/** What a pod is part of. */
interface PodOwner {
  /** The instance that it is. */
  resourceId?: string | null;
  /** The inference endpoint that it serves. */
  replicaOf?: string | null;
  /** Records whose it is, in the transaction that creates it. */
  claim?: (tx: Prisma.TransactionClient, id: string) => Promise<unknown>;
}

/** `createPod`, for pods that are part of resources too. */
export async function createPodRow(
  ctx: ActorCtx &
    Pick<PodsCtx, "currency" | "gpuPools" | "podRuns" | "publicUrl" | "secretsKey" | "sql" | "storedBytes">,
  asked: z.output<typeof Input>,
  { claim, resourceId = null, replicaOf = null }: PodOwner = {},
): Promise<Pod> {
  const { db, clock, actor } = ctx;
  const { mode, input, gpus } = await readPodRequest(ctx, asked);
  await requireRuntime(ctx, { tenantId: actor.tenantId, mode, ...gpus, ...abilitiesOf(input) });
  assertMayUseSecrets(actor, input);
  await ctx.storedBytes.assertRoom(actor.tenantId);
  const created = await db.$transaction(async (tx) => {
    const { tenantId } = actor;
    await lockPodQuotas(tx, tenantId);
    const project = await findProject(tx, actor, input.project);
    const owner = { tenantId, projectId: project.id, mode };
    const { addedGpus } = await assertPodQuotas(tx, { owner, input, gpus });
    await assertSecrets(ctx, owner, input);
    const now = clock.now();
    const { reservationId } = input;
    if (reservationId !== null) await assertReservationRoom(tx, { id: reservationId, gpuCount: addedGpus, now });
    const bound = await attachPod(tx, owner, input);
    const id = await addPod({ ...ctx, db: tx }, { owner, input, gpus, now, part: { resourceId, replicaOf }, bound });
    await claim?.(tx, id);
    const row = await tx.pod.findUniqueOrThrow({ where: { id }, include: LAST_RUN });
    const pod = toPod(row, ctx);
    const { env: _env, command: _command, ...details } = pod;
    await recordAudit(tx, ctx, {
      action: "pod.created",
      targets: [podTarget(row)],
      details,
      events: [newEvent(podCreated, pod, originOf(row))],
    });
    return pod;
  });
  return created;
}

interface NewPod {
  owner: { tenantId: string; projectId: string; mode: "test" | "live" };
  input: PodRequest & { image: string };
  gpus: GpusOfPod;
  now: Date;
  part: { resourceId: string | null; replicaOf: string | null };
  bound: NetworkOfPod;
}

/** Adds the pod that is asked for, and places it if there is capacity. Returns the id. */
async function addPod(ctx: PlaceCtx, { owner, input, gpus, now, part, bound }: NewPod): Promise<string> {
  const { db: tx } = ctx;
  const id = newId(POD_ID_PREFIX, now.getTime());
  const { image, name = `pod-${id.slice(-NAME_DIGITS)}`, command, env, cpu, memory_mb: memoryMb } = input;
  const { ports, labels, spot, volume, volumes: mounts } = input;
  const gang = { gangName: input.gang?.name ?? null, gangSize: input.gang?.size ?? null };
  const { auto_resume: autoResume, reservationId } = input;
  await assertGangRoom(tx, {
    ...owner,
    ...gpus,
    ...gang,
    cpu,
    memoryMb,
    spot,
    autoResume,
    reservationId,
    requiredNodeId: bound.requiredNodeId,
  });
  await insertPod(ctx, {
    id,
    ...owner,
    name,
    image,
    ...gpus,
    cpu,
    memoryMb,
    ports,
    env,
    labels,
    spot,
    autoResume,
    reservationId,
    ...gang,
    mounts,
    ...bound,
    ...(volume && { volumeGb: volume.size_gb, volumePath: volume.mount_path }),
    ...(command && { command }),
    ...(input.registry_credentials && { registryCredentials: input.registry_credentials }),
    createdAt: now,
    expiresAt: new Date(now.getTime() + lifetimeMs(part)),
    ...part,
  });
  return id;
}

/** Pods end after 30 days; those of resources have no end. */
const lifetimeMs = ({ resourceId, replicaOf }: NewPod["part"]): number =>
  resourceId === null && replicaOf === null ? LIFETIME_MS : INSTANCE_LIFETIME_MS;
