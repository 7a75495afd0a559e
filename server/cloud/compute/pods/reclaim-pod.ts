import { z } from "zod";
import type { Prisma } from "../../../engines/postgres/generated/client";
import { recordAudit } from "../../../identity/audit/record-audit";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { ServiceError } from "../../../kernel/errors";
import { operation } from "../../cloud-operation";
import type { StoredPod } from "../pod-records/stored-pod";
import { podChoice } from "../pod-requests/pod-fields";
import { findPod } from "./find-pod";
import { RECLAIM_REHEARSED } from "./notice-reasons";
import { Pod, podTarget, toPod } from "./pod";
import { endedPodExample, podExample } from "./pod.example";
import { podReclaimAnnounced } from "./pod-run.events";
import type { PodsCtx } from "./pods-ctx";
import { lockWithGang, reclaimPods } from "./reclaim-pods";

type ReclaimCtx = ActorCtx & Pick<PodsCtx, "currency" | "publicUrl">;

/**
 * Gives a spot pod of test mode the notice of a reclaim. Throws `not_found`, and `conflict` (reasons `live_mode`,
 * `not_spot`, and `not_placed` for a pod that holds nothing that could be taken).
 */
export const reclaimPod = operation({
  id: "reclaimPod",
  summary: "Rehearse a spot reclaim",
  description:
    "Gives a spot pod of test mode notice as if an on-demand pod needed its GPUs, so that you can test what your program does then: the pod is `reclaiming` for 30 seconds, `/run/svc/reclaim.json` appears, its processes receive the stop signal and are killed when the notice ends, a checkpoint is saved, and with `auto_resume` it runs again. A gang is reclaimed as a whole, and a pod whose process does not run yet waits for capacity again. A pod that is reclaiming stays as it is. A pod of live mode is a conflict with the reason `live_mode`, one without `spot` with `not_spot`, and one that has ended, is stopping or waits for capacity with `not_placed`.",
  access: "pods:write",
  input: z.strictObject(podChoice),
  output: Pod,
  example: {
    input: { id: endedPodExample.id },
    output: {
      ...podExample,
      spot: true,
      status: "reclaiming",
      reclaim: podReclaimAnnounced.example.reclaim,
      status_reason: RECLAIM_REHEARSED,
    },
  },
  run: async (ctx: ReclaimCtx, { id }) => {
    const row = await ctx.db.$transaction((tx) => rehearse(tx, ctx, id));
    return toPod(row, ctx);
  },
});

async function rehearse(tx: Prisma.TransactionClient, ctx: ReclaimCtx, id: string): Promise<StoredPod> {
  const within = { db: tx, actor: ctx.actor };
  await findPod(within, id);
  const pods = await lockWithGang(tx, id);
  // It may have been deleted meanwhile.
  const pod = await findPod(within, id);
  if (pod.mode === "live")
    throw conflict("live_mode", "A reclaim can be rehearsed in test mode only; create the pod with a test key.");
  if (!pod.spot) throw conflict("not_spot", "Only a spot pod is reclaimed; create the pod with spot.");
  if (pod.status === "reclaiming") return pod;
  const [run] = pod.runs;
  const isPlaced = run !== undefined && run.endedAt === null && run.nodeId !== null;
  if (!isPlaced || (pod.status !== "ready" && pod.status !== "pending"))
    throw conflict(
      "not_placed",
      `The pod is ${pod.status} and holds no GPUs that could be taken; wait until it is ready.`,
    );
  await reclaimPods(tx, ctx, { pods, reason: RECLAIM_REHEARSED, now: ctx.clock.now() });
  await recordAudit(tx, ctx, { action: "pod.reclaim_requested", targets: [podTarget(pod)] });
  return findPod(within, id);
}

const conflict = (reason: string, message: string): ServiceError =>
  new ServiceError("conflict", message, { details: { reason } });
