import type { Prisma } from "../../../engines/postgres/generated/client";
import { nextStatus } from "../pod-records/pod-states";
import { addToTimeline } from "../pod-records/pod-timeline";
import { LAST_RUN, type StoredPod } from "../pod-records/stored-pod";
import type { PodCtx } from "./pod";
import { endRun } from "./record-run";

/**
 * Makes a locked pod stop; false if its status does not allow that. A run that waits for capacity has nothing to stop
 * and ends at once.
 */
export async function requestStop(
  tx: Prisma.TransactionClient,
  ctx: PodCtx,
  { pod, reason }: { pod: StoredPod; reason: { code: string; message: string } },
): Promise<boolean> {
  const status = nextStatus(pod.status, "stop");
  if (!status) return false;
  const now = ctx.clock.now();
  const stopping = await tx.pod.update({
    where: { id: pod.id },
    data: { status, stopRequestedAt: now, reasonCode: reason.code, reasonText: reason.message },
    include: LAST_RUN,
  });
  await addToTimeline(tx, pod, { type: "stop_requested", message: reason.message, at: now });
  const [run] = stopping.runs;
  if (run && run.nodeId === null) await endRun(tx, ctx, { run, pod: stopping, end: { endedAt: now, outcome: "fail" } });
  return true;
}
