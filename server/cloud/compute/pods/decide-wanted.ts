import type { Prisma } from "../../../engines/postgres/generated/client";
import { checkQuota } from "../../../identity/quotas/assert-quota";
import type { GpuModel } from "../../core/prices/gpu-models";
import { checkStoredBytes } from "../../core/stored-bytes/add-stored-bytes";
import { VOLUME_QUOTAS } from "../../data/volumes/volumes.quotas";
import type { Blocked } from "../placement/choose-node";
import { decideGang } from "../placement/decide-gang";
import { decidePlace } from "../placement/decide-place";
import { assertGangRoom, neededByMember } from "../pod-records/gang";
import { purchaseOf } from "../pod-records/stored-pod";
import { POD_QUOTAS } from "../pod-requests/pods.quotas";
import { gpuQuota } from "../pools/gpu-quotas";
import type { Region } from "../pools/regions";
import { checkReservationRoom } from "../reserved-gpus/reservation-room";
import { canReclaimSpot } from "./reclaim-spot";
import { type Refusal, refusalOf, type WantedDecision } from "./refusal";
import { snapshotCapacity } from "./snapshot-capacity";
import type { WantedPod } from "./wanted-pod";

/**
 * Decides about a pod that does not exist as its creation would, in the same order of checks: whether it can be created,
 * and whether it is placed. Writes nothing.
 */
export async function decideWanted(
  tx: Prisma.TransactionClient,
  wanted: WantedPod,
  now: Date,
): Promise<WantedDecision> {
  const refused = await refusalOfWanted(tx, wanted, now);
  if (refused) return { refused };
  const blocked = await blockedNow(tx, wanted, now);
  if (blocked?.code !== "no_gpus" || wanted.pod.gangName !== null) return { blocked };
  return { blocked, makesRoom: await makesRoom(tx, wanted, now) };
}

async function refusalOfWanted(
  tx: Prisma.TransactionClient,
  { pod }: WantedPod,
  now: Date,
): Promise<Refusal | undefined> {
  const { id: _id, ...asked } = pod;
  const { tenantId, gpu, region, reservationId } = pod;
  const added = await neededByMember(tx, asked);
  const noPods = await refusalOf(() => checkQuota(tx, { tenantId, adding: added.pods }, POD_QUOTAS.pods));
  if (noPods) return { ...noPods, isFinal: true };
  return refusalOf(async () => {
    await checkStoredBytes(tx, tenantId);
    await checkQuota(tx, { tenantId, adding: added.volumeGb }, VOLUME_QUOTAS.volume_gb);
    if (gpu !== null && purchaseOf(pod) === "on_demand") {
      const quota = gpuQuota(gpu as GpuModel, region as Region);
      await checkQuota(tx, { tenantId, adding: added.gpus }, quota);
    }
    if (reservationId !== null) {
      await checkReservationRoom(tx, { id: reservationId, gpuCount: added.gpus, now });
    }
    await assertGangRoom(tx, pod);
  });
}

async function blockedNow(
  tx: Prisma.TransactionClient,
  { pod, missing, waiting, ending }: WantedPod,
  now: Date,
): Promise<Blocked | undefined> {
  const capacity = snapshotCapacity(tx);
  if (pod.gangName === null) return blockedIn(await decidePlace(capacity, pod, now));
  // All of them exist then, and those that wait already are placed with the new ones.
  const all = [...waiting, ...Array.from({ length: missing }, () => pod)];
  return blockedIn(await decideGang(capacity, { first: pod, waiting: all, present: pod.gangSize ?? 0, ending, now }));
}

const blockedIn = (decided: Blocked | object): Blocked | undefined => ("code" in decided ? decided : undefined);

/** Whether spot pods would be given notice for it. */
async function makesRoom(tx: Prisma.TransactionClient, { pod }: WantedPod, now: Date): Promise<boolean> {
  let canMake = false;
  await decidePlace(
    {
      ...snapshotCapacity(tx),
      makeRoom: async (making) => {
        canMake = await canReclaimSpot(tx, making, now);
        return undefined;
      },
    },
    pod,
    now,
  );
  return canMake;
}
