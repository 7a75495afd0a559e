import type { ActorCtx } from "../../../identity/identity-ctx";
import { endPod } from "./follow-endpoint";
import type { InferenceCtx } from "./inference-ctx";

/** Deletes the replicas of an endpoint, and its rows when none is left. Returns whether nothing is left. */
export async function removeEndpoint(
  ctx: ActorCtx & Pick<InferenceCtx, "currency" | "publicUrl">,
  id: string,
): Promise<boolean> {
  const { db } = ctx;
  const replicas = await db.inferenceReplica.findMany({ where: { endpointId: id }, select: { podId: true } });
  for (const { podId } of replicas) {
    const open = await db.podRun.findFirst({ where: { podId, endedAt: null }, select: { id: true } });
    const pod = await db.pod.findFirst({ where: { id: podId, deletedAt: null }, select: { id: true } });
    if (!pod && !open) await db.inferenceReplica.deleteMany({ where: { podId } });
    else if (pod) await endPod(ctx, podId);
  }
  if ((await db.inferenceReplica.count({ where: { endpointId: id } })) > 0) return false;
  await db.inferenceLoad.deleteMany({ where: { endpointId: id } });
  await db.inferenceEndpoint.deleteMany({ where: { id } });
  return true;
}
