import type { Prisma } from "../../engines/postgres/generated/client";
import { recordEvent } from "../../identity/events/record-event";
import { NODE_DRAINING } from "./notice-reasons";
import { LAST_RUN, originOf, type PodCtx, type StoredPod, toPod } from "./pod";
import { podReclaimAnnounced } from "./pod.events";
import { nextStatus } from "./pod-states";
import { addToTimeline } from "./pod-timeline";

/** Between the notice of a pod and its end: the specification's "Spot reclaim notice". */
export const NOTICE_MS = 30_000;

/**
 * Gives a locked pod that is ready notice; false if its status does not allow that, or it is not spot and its node is not
 * drained. The machine that runs it sends the signal, and ends what runs when the notice is over.
 */
export async function requestReclaim(
  tx: Prisma.TransactionClient,
  ctx: PodCtx,
  { pod, reason }: { pod: StoredPod; reason: { code: string; message: string } },
): Promise<boolean> {
  const mayEnd = pod.spot || reason.code === NODE_DRAINING.code;
  const status = mayEnd ? nextStatus(pod.status, "reclaim") : undefined;
  const [run] = pod.runs;
  if (!status || !run || run.endedAt) return false;
  const now = ctx.clock.now();
  const reclaimAt = new Date(now.getTime() + NOTICE_MS);
  await tx.podRun.update({ where: { id: run.id }, data: { noticeAt: now, reclaimAt } });
  const row = await tx.pod.update({
    where: { id: pod.id },
    data: { status, reasonCode: reason.code, reasonText: reason.message },
    include: LAST_RUN,
  });
  await addToTimeline(tx, pod, { type: "reclaim_announced", message: reason.message, at: now });
  const data = toPod(row, ctx);
  await recordEvent(tx, { tenantId: row.tenantId, ...originOf(row), at: now }, { kind: podReclaimAnnounced, data });
  return true;
}
