import type { ActorCtx } from "../../../identity/identity-ctx";
import { ServiceError } from "../../../kernel/errors";
import { createPodRow } from "../../compute/pods/create-pod";
import { deletePod } from "../../compute/pods/delete-pod";
import type { DesiredResource } from "../../core/kinds/kind";
import { type EndpointSpec, hashOf, type ReplicaProgram } from "./endpoint-spec";
import type { InferenceCtx } from "./inference-ctx";
import type { EndpointSnapshot } from "./read-endpoints";

const RETRY_MS_MIN = 2000;
const RETRY_MS_MAX = 300_000;
const DOUBLINGS_MAX = 10;
const POD_NAME_MAX = 60;

/** Takes the steps that a look found. Throws what `createPod` throws. */
export async function followEndpoint(
  ctx: ActorCtx &
    Pick<InferenceCtx, "currency" | "gpuPools" | "podRuns" | "publicUrl" | "secretsKey" | "sql" | "storedBytes">,
  wanted: DesiredResource<EndpointSpec>,
  snapshot: EndpointSnapshot,
): Promise<void> {
  const { plan, endpoint, program } = snapshot;
  const now = ctx.clock.now();
  const failures = endpoint.failures + plan.failed.length;
  const retryMs = Math.min(RETRY_MS_MAX, RETRY_MS_MIN * 2 ** Math.min(failures - 1, DOUBLINGS_MAX));
  await ctx.db.inferenceEndpoint.update({
    where: { id: wanted.rid },
    data: {
      wanted: snapshot.wanted,
      ...(snapshot.wanted !== endpoint.wanted && { busyAt: now }),
      // The first one to fail is replaced at once.
      ...(plan.failed.length > 0 && { failures, retryAt: failures > 1 ? new Date(now.getTime() + retryMs) : null }),
    },
  });
  for (const podId of plan.remove) await removeReplica(ctx, podId);
  await ctx.db.inferenceReplica.updateMany({
    where: { podId: { in: plan.drain }, drainingAt: null },
    data: { drainingAt: now },
  });
  const mayCreate = plan.failed.length === 0 || failures <= 1;
  for (let made = 0; mayCreate && made < plan.create; made++) await createReplica(ctx, wanted, program);
}

async function createReplica(
  ctx: ActorCtx &
    Pick<InferenceCtx, "currency" | "gpuPools" | "podRuns" | "publicUrl" | "secretsKey" | "sql" | "storedBytes">,
  { rid, name, mode, projectId: project }: DesiredResource<EndpointSpec>,
  program: ReplicaProgram,
): Promise<void> {
  const { image, command, env, port, gpu, gpuCount, region, cpu, memoryMb, spot, registryCredentials } = program;
  const now = ctx.clock.now();
  await createPodRow(
    ctx,
    {
      image,
      command,
      env,
      ports: [port],
      cpu,
      memory_mb: memoryMb,
      gpu,
      gpu_count: gpuCount,
      region,
      name: `inference-${name}`.slice(0, POD_NAME_MAX),
      mode,
      project,
      labels: {},
      spot,
      auto_resume: false,
      reservation_id: undefined,
      registry_credentials: registryCredentials,
      volumes: [],
    },
    {
      replicaOf: rid,
      claim: (tx, podId) =>
        tx.inferenceReplica.create({
          data: { podId, endpointId: rid, program: hashOf(program), port, createdAt: now, unreadyAt: now },
        }),
    },
  );
}

async function removeReplica(
  ctx: ActorCtx & Pick<InferenceCtx, "currency" | "publicUrl">,
  podId: string,
): Promise<void> {
  await endPod(ctx, podId);
  await ctx.db.inferenceReplica.deleteMany({ where: { podId } });
}

/** Deletes the pod of a replica, unless its owner has. */
export async function endPod(
  ctx: ActorCtx & Pick<InferenceCtx, "currency" | "publicUrl">,
  podId: string,
): Promise<void> {
  await deletePod.run(ctx, { id: podId }).catch((failure: unknown) => {
    if (!(failure instanceof ServiceError) || failure.code !== "not_found") throw failure;
  });
}
