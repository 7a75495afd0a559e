import { decideGang } from "./decide-gang";
import { type GangKey, isWaiting, membersOf } from "./gang";
import { assignRuns, lockedCapacity, type PlaceCtx, recordWait } from "./place-run";
import { LAST_RUN } from "./pod";
import { lockPods } from "./pods.sql";

/**
 * Places all pods of a gang that wait, or none and records why, once `size` of its pods wait or run. In one transaction
 * that has locked nothing before, because it locks all of them in order. Returns how many were placed.
 */
export async function placeGang(ctx: PlaceCtx, gang: GangKey, now: Date): Promise<number> {
  const { db: tx } = ctx;
  const ids = await tx.pod.findMany({ where: membersOf(gang), select: { id: true }, orderBy: { id: "asc" } });
  await lockPods(
    tx,
    ids.map(({ id }) => id),
  );
  const members = await tx.pod.findMany({ where: membersOf(gang), include: LAST_RUN, orderBy: { id: "asc" } });
  const waiting = members.filter(isWaiting);
  const [first] = waiting;
  if (!first) return 0;
  const decided = await decideGang(lockedCapacity(ctx), { first, waiting, present: members.length, now });
  if ("placed" in decided) {
    await assignRuns(tx, { ...decided, now });
    return waiting.length;
  }
  for (const pod of waiting) await recordWait(tx, pod, { ...decided, at: now });
  return 0;
}
