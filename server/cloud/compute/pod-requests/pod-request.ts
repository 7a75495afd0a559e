import type { Pool } from "pg";
import type { z } from "zod";
import type { PrismaClient } from "../../../engines/postgres/generated/client";
import { volumePathsProblem } from "../../../engines/runtime/volume-path";
import { ownerFields } from "../../../identity/owner-fields";
import { ServiceError } from "../../../kernel/errors";
import { type Actor, type Mode, modeOf } from "../../../operation/actor";
import type { GpuModel } from "../../core/prices/gpu-models";
import { resolveSecret } from "../../data/secrets/resolve-secret";
import type { SecretOwner } from "../../data/secrets/secret";
import type { NeededAbilities } from "../placement/eligible-nodes";
import { FLEET } from "../pools/fleet";
import type { Region } from "../pools/regions";
import { reservationOfPod } from "../reserved-gpus/reservation-room";
import { modelOf, podFields } from "./pod-fields";

/** What a client says about a new pod besides its image. */
export const podRequestFields = {
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
  ports: podFields.ports.default([]),
  volume: podFields.volume.optional(),
  volumes: podFields.volumes.default([]),
  labels: podFields.labels.default({}),
  ...ownerFields,
};

/** What a client says about a new pod. */
export const newPodFields = { image: podFields.image, network: podFields.network.optional(), ...podRequestFields };

type RequestFields = z.output<z.ZodObject<typeof podRequestFields>>;

/** What is asked for, with the model and region of its reservation. */
export type PodRequest = RequestFields & { reservationId: string | null };

interface ReservationCtx {
  actor: Actor;
  db: Pick<PrismaClient, "reservation">;
}

/**
 * Completes and checks what is asked for, as far as that does not depend on what is free. Throws `invalid_request`, and
 * `not_found` for the reservation.
 */
export async function readPodRequest<T extends RequestFields>(
  ctx: ReservationCtx,
  asked: T,
): Promise<{ mode: Mode; input: T & PodRequest; gpus: GpusOfPod }> {
  const mode = modeOf(ctx.actor, asked.mode);
  assertPathsApart(asked);
  const input = await withReservation(ctx, mode, asked);
  return { mode, input, gpus: gpusOf(input) };
}

/** Throws `invalid_request` for a shared volume within the pod's own one, or around it. */
function assertPathsApart({ volume, volumes }: Pick<RequestFields, "volume" | "volumes">): void {
  if (!volume) return;
  const problem = volumePathsProblem([volume, ...volumes].map(({ mount_path: path }) => path));
  if (problem !== undefined) throw invalid("volumes", problem);
}

async function withReservation<T extends RequestFields>(
  { db, actor }: ReservationCtx,
  mode: Mode,
  asked: T,
): Promise<T & PodRequest> {
  const { reservation_id: id, gpu, region, spot } = asked;
  if (id === undefined) return { ...asked, reservationId: null };
  if (spot) throw invalid("spot", "a pod of a reservation is not spot");
  const reserved = await reservationOfPod(db, { tenantId: actor.tenantId, mode, id });
  if (gpu !== undefined && modelOf(gpu) !== reserved.gpu) throw invalid("gpu", `the reservation has ${reserved.gpu}`);
  if (region !== undefined && region !== reserved.region)
    throw invalid("region", `the reservation is in ${reserved.region}`);
  return { ...asked, gpu: reserved.gpu, region: reserved.region as Region, reservationId: id };
}

/** What the node of a pod must be able to do. */
export const abilitiesOf = ({
  ports,
  volume,
}: Pick<RequestFields, "ports" | "volume">): Omit<NeededAbilities, "mode"> => ({
  ports,
  volumeGb: volume?.size_gb ?? null,
});

export type GpusOfPod = { gpu: GpuModel; gpuCount: number; region: Region } | { gpu: null; gpuCount: 0; region: null };

/** Throws `invalid_request` for fields that only pods with GPUs have, and for more GPUs than a node has. */
function gpusOf({ gpu, gpu_count: count, region, spot, auto_resume: autoResume, gang }: RequestFields): GpusOfPod {
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

/** Where a request names secrets. */
type GivenSecrets = Pick<RequestFields, "env" | "registry_credentials">;

/**
 * Throws `forbidden` for a secret without `secrets:reveal`: a pod and a registry can pass on what they receive, so naming
 * a secret is as good as reading it.
 */
export function assertMayUseSecrets({ scopes }: Actor, input: GivenSecrets): void {
  if (scopes.has("secrets:reveal") || secretsOf(input).length === 0) return;
  const param = input.registry_credentials ? "registry_credentials" : "env";
  throw new ServiceError(
    "forbidden",
    "To give a secret to a pod or sandbox, the caller needs the scope secrets:reveal.",
    {
      param,
      details: { reason: "scope_missing", scope: "secrets:reveal" },
    },
  );
}

/** Throws `unprocessable` for a secret that does not exist. */
export async function assertSecrets(
  ctx: { sql: Pool; secretsKey: Buffer },
  owner: SecretOwner,
  input: GivenSecrets,
): Promise<void> {
  for (const secret of new Set(secretsOf(input))) await resolveSecret(ctx, owner, { secret });
}

const secretsOf = ({ env, registry_credentials: credentials }: GivenSecrets): string[] =>
  [...Object.values(env), ...(credentials ? [credentials.password] : [])].flatMap((value) =>
    typeof value === "string" ? [] : value.secret,
  );
