import type { Prisma } from "../../engines/postgres/generated/client";
import type { CloudCtx } from "../cloud-ctx";
import { LAST_RUN, type StoredPod } from "../pods/pod";
import { lockPod } from "../pods/pods.sql";
import { requestReclaim } from "../pods/request-reclaim";
import { requestStop } from "../pods/request-stop";
import { chooseLentPods } from "./choose-lent-pods";
import { devicesOf, podsToStop, spotPodsToReclaim, waitingReservedPods } from "./reservation-rounds.sql";

export type AdvanceCtx = Pick<CloudCtx, "db" | "sql" | "clock" | "currency" | "publicUrl">;

const RESERVATION_ENDED = { code: "reservation_ended", message: "The term of its reservation is over." };
const CAPACITY_NEEDED = { code: "capacity_needed", message: "A reservation needs its GPUs." };

/**
 * Stops the pods of reservations that are over, and gives notice to spot pods on GPUs of reservations that begin soon or
 * whose pods wait for them. Returns whether a pod was stopped or given notice.
 */
export async function stopAndReclaim(ctx: AdvanceCtx): Promise<boolean> {
  const stopped = await eachPod(ctx, await podsToStop(ctx.sql), (tx, pod) =>
    requestStop(tx, ctx, { pod, reason: RESERVATION_ENDED }),
  );
  const victims = [...(await spotPodsToReclaim(ctx.sql)), ...(await lentToWaiting(ctx))];
  const reclaimed = await eachPod(ctx, victims, (tx, pod) => requestReclaim(tx, ctx, { pod, reason: CAPACITY_NEEDED }));
  return stopped || reclaimed;
}

/** One pod of a reservation at a time; the next follows when it has been placed. */
async function lentToWaiting({ db, sql }: AdvanceCtx): Promise<string[]> {
  const victims: string[] = [];
  const seen = new Set<string>();
  for (const { reservationId, gpuCount } of await waitingReservedPods(sql)) {
    if (seen.has(reservationId)) continue;
    seen.add(reservationId);
    victims.push(...(chooseLentPods(await devicesOf(db, reservationId), gpuCount) ?? []));
  }
  return victims;
}

async function eachPod(
  { db }: AdvanceCtx,
  ids: readonly string[],
  change: (tx: Prisma.TransactionClient, pod: StoredPod) => Promise<boolean>,
): Promise<boolean> {
  let isChanged = false;
  for (const id of new Set(ids)) {
    await db.$transaction(async (tx) => {
      await lockPod(tx, id);
      const pod = await tx.pod.findUniqueOrThrow({ where: { id }, include: LAST_RUN });
      if (await change(tx, pod)) isChanged = true;
    });
  }
  return isChanged;
}
