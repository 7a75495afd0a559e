import type { Prisma } from "../../../engines/postgres/generated/client";
import { membersOf } from "../pod-records/gang";
import { lockPods } from "../pod-records/pod-locks.sql";
import { LAST_RUN, type StoredPod } from "../pod-records/stored-pod";
import type { PodCtx } from "./pod";
import { type NoticeReason, requestReclaim } from "./request-reclaim";
import { requeueRun } from "./requeue-run";

interface Reclaiming {
  pods: readonly StoredPod[];
  reason: NoticeReason;
  now: Date;
}

/**
 * Gives locked pods notice that ends at one time for all of them; those that have capacity but no process yet wait again
 * at once. Pods without capacity stay as they are. Returns whether one of them changed.
 */
export async function reclaimPods(
  tx: Prisma.TransactionClient,
  ctx: PodCtx,
  { pods, reason, now }: Reclaiming,
): Promise<boolean> {
  let isChanged = false;
  for (const pod of pods) {
    const [run] = pod.runs;
    if (!run || run.endedAt || run.nodeId === null) continue;
    if (pod.status === "pending") await requeueRun(tx, { pod, run, reason, now });
    if (pod.status === "pending" || (await requestReclaim(tx, ctx, { pod, reason, now }))) isChanged = true;
  }
  return isChanged;
}

/**
 * Locks a pod and, if its gang is spot, all pods of the gang, which are reclaimed with it: the others are of no use
 * alone. Returns them, the pod first.
 */
export async function lockWithGang(tx: Prisma.TransactionClient, id: string): Promise<[StoredPod, ...StoredPod[]]> {
  const { spot, projectId, mode, gangName } = await tx.pod.findUniqueOrThrow({ where: { id } });
  const isGang = spot && gangName !== null;
  const found = isGang ? await tx.pod.findMany({ where: membersOf({ projectId, mode, gangName }) }) : [];
  const ids = found.flatMap((one) => (one.id === id ? [] : one.id));
  await lockPods(tx, [id, ...ids]);
  const pod = await tx.pod.findUniqueOrThrow({ where: { id }, include: LAST_RUN });
  const others = await tx.pod.findMany({ where: { id: { in: ids } }, include: LAST_RUN, orderBy: { id: "asc" } });
  return [pod, ...others];
}
