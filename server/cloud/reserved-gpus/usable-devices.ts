import type { Prisma } from "../../engines/postgres/generated/client";
import { freeForOnDemand } from "./free-for-on-demand";
import { poolCalendar } from "./pool-calendar";
import { type DeviceUser, isUsableBy, reservedDevices } from "./reserved-devices";

const DAY_MS = 24 * 3600 * 1000;

export interface PodToPlace extends DeviceUser {
  gpuCount: number;
  expiresAt: Date;
}

export interface PoolToUse {
  pool: string;
  nodes: readonly { name: string; gpus: number }[];
}

export type UsableDevices = { blocked: string } | { unusable: Map<string, Set<number>> };

/**
 * The devices of a pool that a pod may not have because of reservations, by node; `blocked` if no node accepts pods, or
 * an on-demand pod would keep a scheduled reservation from its start. Lock the pool first.
 */
export async function usableDevices(
  tx: Prisma.TransactionClient,
  pod: PodToPlace,
  { pool, nodes, now }: PoolToUse & { now: Date },
): Promise<UsableDevices> {
  if (nodes.length === 0) return { blocked: "No node of this pool accepts pods at present." };
  if (!pod.spot && pod.reservationId === null) {
    const capacity = nodes.reduce((sum, { gpus }) => sum + gpus, 0);
    const lifetimeDays = (pod.expiresAt.getTime() - now.getTime()) / DAY_MS;
    const free = freeForOnDemand(
      await poolCalendar(tx, { pool, capacity, nodes: nodes.map(({ name }) => name) }, now),
      now,
      lifetimeDays,
    );
    if (free < pod.gpuCount) {
      return {
        blocked: `On-demand pods can have ${free} more GPUs of this pool; the others are in use or kept for reservations.`,
      };
    }
  }
  const reserved = await reservedDevices(tx, pool);
  return { unusable: new Map(nodes.map(({ name, gpus }) => [name, unusableOn(reserved.get(name), gpus, pod)])) };
}

const unusableOn = (
  reserved: ReadonlyMap<number, Parameters<typeof isUsableBy>[0]> | undefined,
  gpus: number,
  pod: DeviceUser,
): Set<number> => new Set(Array.from({ length: gpus }, (_, i) => i).filter((i) => !isUsableBy(reserved?.get(i), pod)));
