import type { Prisma } from "../../../engines/postgres/generated/client";
import { recordEvent } from "../../../identity/events/record-event";
import { NOTICE_MS } from "../pod-records/grace-times";
import { nextStatus } from "../pod-records/pod-states";
import { addToTimeline } from "../pod-records/pod-timeline";
import { LAST_RUN, originOf, type StoredPod } from "../pod-records/stored-pod";
import { NODE_DRAINING } from "./notice-reasons";
import { type PodCtx, toPod } from "./pod";
import { podReclaimAnnounced } from "./pod-run.events";

export interface NoticeReason {
  code: string;
  message: string;
}

/**
 * Gives a locked pod that is ready notice; false if its status does not allow that, or it is not spot and its node is not
 * drained. The node that runs it sends the signal, and ends what runs when the notice is over.
 */
export async function requestReclaim(
  tx: Prisma.TransactionClient,
  ctx: PodCtx,
  { pod, reason, now = ctx.clock.now() }: { pod: StoredPod; reason: NoticeReason; now?: Date },
): Promise<boolean> {
  const mayEnd = pod.spot || reason.code === NODE_DRAINING.code;
  const status = mayEnd ? nextStatus(pod.status, "reclaim") : undefined;
  const [run] = pod.runs;
  if (!status || !run || run.endedAt) return false;
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
