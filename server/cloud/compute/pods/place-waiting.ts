import type { Capacity } from "../placement/capacity";
import { placeRun } from "../placement/place-run";
import { lockPod } from "../pod-records/pod-locks.sql";
import { fairQueue, type WaitingPod, waitingRuns } from "../waits/waiting-runs.sql";
import { placeGang } from "./place-gang";
import type { PodsCtx } from "./pods-ctx";
import { reclaimSpot } from "./reclaim-spot";

type PlaceWaitingCtx = Pick<PodsCtx, "db" | "clock" | "currency" | "publicUrl" | "gpuPools">;

/**
 * Tries to place the runs that wait, and returns whether there are any. One that does not fit does not keep a later one
 * from what is free.
 */
export async function placeWaiting(ctx: PlaceWaitingCtx): Promise<boolean> {
  const waiting = await waitingRuns(ctx.db);
  if (waiting.length === 0) return false;
  const queue = await fairQueue(ctx.db, waiting);
  const gangs = new Set<string>();
  for (let run = queue.next(); run; run = queue.next()) {
    const { projectId, mode, gangName } = run;
    if (gangName === null) {
      if (await placeOne(ctx, run)) queue.placed(run);
      continue;
    }
    const key = JSON.stringify([projectId, mode, gangName]);
    if (gangs.has(key)) continue;
    gangs.add(key);
    const gang = { projectId, mode, gangName };
    const count = await ctx.db.$transaction((tx) => placeGang(tx, ctx, gang));
    for (let i = 0; i < count; i++) queue.placed(run);
  }
  return true;
}

/**
 * Whether the run has a place now; not if it has ended or was placed meanwhile. Spot pods are reclaimed for it, which writes
 * events of other tenants, so the transaction writes no event or audit entry before.
 */
async function placeOne({ db, gpuPools, ...ctx }: PlaceWaitingCtx, { id, podId }: WaitingPod): Promise<boolean> {
  return db.$transaction(async (tx) => {
    await lockPod(tx, podId);
    const run = await tx.podRun.findUniqueOrThrow({ where: { id }, include: { pod: true } });
    if (run.endedAt || run.nodeId !== null) return false;
    const makeRoom: Capacity["makeRoom"] = (making) => reclaimSpot(tx, ctx, making);
    return placeRun({ db: tx, gpuPools, makeRoom }, run.pod, ctx.clock.now());
  });
}
