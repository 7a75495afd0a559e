import type { Prisma } from "../../../engines/postgres/generated/client";
import type { GangMaking } from "../placement/capacity";
import type { Blocked } from "../placement/choose-node";
import { decideGang } from "../placement/decide-gang";
import { assignRuns, lockedCapacity, type PlaceCtx, recordWait } from "../placement/place-run";
import { type GangKey, isWaiting, membersOf } from "../pod-records/gang";
import { lockPods } from "../pod-records/pod-locks.sql";
import { LAST_RUN, runIdOf, type StoredPod } from "../pod-records/stored-pod";
import { endGangKeep } from "../pools/gang-keeps.sql";
import { endNomination } from "../pools/nominations.sql";
import { makeGangRoom } from "./gang-room";
import type { PodCtx } from "./pod";

/** While a gang waits for these, GPUs can be kept for it. */
const WAITS_FOR_GPUS: readonly Blocked["code"][] = ["no_gpus", "reclaiming_spot"];

/**
 * Places all pods of a gang that wait, or none and records why, once `size` of its pods wait or run. In one transaction
 * that has locked nothing before, because it locks all of them in order. Returns how many were placed.
 */
export async function placeGang(
  tx: Prisma.TransactionClient,
  ctx: PodCtx & Pick<PlaceCtx, "gpuPools">,
  gang: GangKey,
): Promise<number> {
  const now = ctx.clock.now();
  const ids = await tx.pod.findMany({ where: membersOf(gang), select: { id: true }, orderBy: { id: "asc" } });
  await lockPods(
    tx,
    ids.map(({ id }) => id),
  );
  const members = await tx.pod.findMany({ where: membersOf(gang), include: LAST_RUN, orderBy: { id: "asc" } });
  const waiting = members.filter(isWaiting);
  const [first] = waiting;
  if (!first) return 0;
  const capacity = {
    ...lockedCapacity({ db: tx, gpuPools: ctx.gpuPools }),
    makeGangRoom: (making: GangMaking) =>
      makeGangRoom(tx, ctx, { gang: { waiting, since: waitsSince(waiting), now }, making }),
  };
  const ending = members.filter(({ status }) => status === "reclaiming").length;
  const decided = await decideGang(capacity, { first, waiting, present: members.length, ending, now });
  if ("placed" in decided || !WAITS_FOR_GPUS.includes(decided.code)) await endGangKeep(tx, gang);
  if ("placed" in decided) {
    await assignRuns(tx, { ...decided, now });
    return waiting.length;
  }
  for (const pod of waiting) {
    if (decided.code === "gang_incomplete") await endNomination(tx, runIdOf(pod.id, pod.runNumber));
    await recordWait(tx, pod, { ...decided, at: now });
  }
  return 0;
}

/** When the last of the pods began to wait. */
const waitsSince = (waiting: readonly StoredPod[]): Date =>
  new Date(Math.max(...waiting.flatMap(({ runs: [run] }) => run?.createdAt.getTime() ?? [])));
