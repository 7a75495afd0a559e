import { updateGpuNodes } from "../gpu-nodes/update-gpu-nodes";
import { lockPod } from "../pod-records/pod-locks.sql";
import { LAST_RUN, type StoredPod } from "../pod-records/stored-pod";
import { giveDrainNotice } from "./give-drain-notice";
import { placeWaiting } from "./place-waiting";
import { abandonedRuns } from "./pods.sql";
import type { PodsCtx } from "./pods-ctx";
import { recordExit } from "./record-run";
import { requestStop } from "./request-stop";

type MaintainCtx = Pick<PodsCtx, "db" | "sql" | "clock" | "currency" | "publicUrl" | "gpuPools">;

/** How many pods are looked at in a round; the others follow. */
const PODS_PER_ROUND = 200;
const LIFETIME_ENDED = { code: "lifetime_ended", message: "A pod runs for at most 30 days." };
const NODE_LOST = { code: "node_lost", message: "The node that ran it has not reported for 10 minutes." };

/** When the time of the next pod is over. */
export const NEXT_POD_END = "SELECT min(expires_at) FROM pods WHERE status IN ('pending', 'ready')";

/**
 * What is due for the pods of all nodes: the GPU nodes, notice on nodes that drain, placing those that wait,
 * ending those that are too old or lost. Returns whether pods wait for a place.
 */
export async function maintainPods(ctx: MaintainCtx): Promise<boolean> {
  await updateGpuNodes(ctx);
  await giveDrainNotice(ctx);
  const hasWaiting = await placeWaiting(ctx);
  await endOldPods(ctx);
  for (const id of await abandonedRuns(ctx.sql)) {
    const run = await ctx.db.podRun.findUniqueOrThrow({ where: { id } });
    const endedAt = run.observedAt ?? run.startedAt ?? ctx.clock.now();
    await recordExit(ctx, id, { endedAt, outcome: "fail", reason: NODE_LOST });
  }
  return hasWaiting;
}

function reasonOf({ secondsMax, startedAt }: StoredPod) {
  if (secondsMax === null) return LIFETIME_ENDED;
  if (!startedAt) return { code: "not_started", message: "It could not be started in time." };
  return { code: "timed_out", message: `It has run for its ${secondsMax} seconds.` };
}

async function endOldPods(ctx: MaintainCtx): Promise<void> {
  const { db, clock } = ctx;
  const old = await db.pod.findMany({
    where: { status: { in: ["pending", "ready"] }, expiresAt: { lte: clock.now() } },
    take: PODS_PER_ROUND,
    select: { id: true },
  });
  for (const { id } of old) {
    await db.$transaction(async (tx) => {
      await lockPod(tx, id);
      const pod = await tx.pod.findUniqueOrThrow({ where: { id }, include: LAST_RUN });
      await requestStop(tx, ctx, { pod, reason: reasonOf(pod) });
    });
  }
}
