import type { Prisma } from "../../../engines/postgres/generated/client";
import type { StoredPod } from "../pod-records/stored-pod";
import { lockWithGang, reclaimPods } from "../pods/reclaim-pods";
import { requestStop } from "../pods/request-stop";
import { chooseLentPods } from "./choose-lent-pods";
import type { ReservationCtx } from "./reservation-ctx";
import { devicesOf, podsToStop, spotPodsToReclaim, waitingReservedPods } from "./reservation-rounds.sql";

export type AdvanceCtx = Pick<ReservationCtx, "db" | "sql" | "clock" | "currency" | "publicUrl">;

const RESERVATION_ENDED = { code: "reservation_ended", message: "The term of its reservation is over." };
const CAPACITY_NEEDED = { code: "capacity_needed", message: "A reservation needs its GPUs." };

/**
 * Stops the pods of reservations that are over, and gives notice to spot pods on GPUs of reservations that begin soon or
 * whose pods wait for them. Returns whether a pod was stopped or given notice.
 */
export async function stopAndReclaim(ctx: AdvanceCtx): Promise<boolean> {
  const stopped = await eachPod(ctx, await podsToStop(ctx.sql), (tx, [pod]) =>
    requestStop(tx, ctx, { pod, reason: RESERVATION_ENDED }),
  );
  const victims = [...(await spotPodsToReclaim(ctx.sql)), ...(await lentToWaiting(ctx))];
  const reclaimed = await eachPod(ctx, victims, async (tx, pods) =>
    pods[0].spot && !pods[0].deletedAt
      ? reclaimPods(tx, ctx, { pods, reason: CAPACITY_NEEDED, now: ctx.clock.now() })
      : false,
  );
  return stopped || reclaimed;
}

/** One pod of a reservation, or one gang, at a time; the next follows when it has been placed. */
async function lentToWaiting({ db, sql }: AdvanceCtx): Promise<string[]> {
  const victims: string[] = [];
  const seen = new Set<string>();
  for (const { reservationId, gpuCount: gpus, pods } of await waitingReservedPods(sql)) {
    if (seen.has(reservationId)) continue;
    seen.add(reservationId);
    victims.push(...(chooseLentPods(await devicesOf(db, reservationId), { gpus, pods }) ?? []));
  }
  return victims;
}

async function eachPod(
  { db }: AdvanceCtx,
  ids: readonly string[],
  change: (tx: Prisma.TransactionClient, pods: [StoredPod, ...StoredPod[]]) => Promise<boolean>,
): Promise<boolean> {
  let isChanged = false;
  for (const id of new Set(ids)) {
    await db.$transaction(async (tx) => {
      if (await change(tx, await lockWithGang(tx, id))) isChanged = true;
    });
  }
  return isChanged;
}
