import type { Prisma } from "../../../engines/postgres/generated/client";
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
  /** GPUs that are kept for a gang, so that on-demand pods have to leave it so many. */
  keptGpus: number;
}

export interface UsableDevices {
  /** Why no device can be used, although some may be free. */
  blocked?: string;
  unusable: Map<string, Set<number>>;
}

/**
 * The devices of a pool that a pod may not have because of reservations, by node; `blocked` if no node accepts pods, or
 * an on-demand pod would keep a scheduled reservation or a gang from its start. Lock the pool first.
 */
export async function usableDevices(
  tx: Prisma.TransactionClient,
  pod: PodToPlace,
  state: PoolToUse & { now: Date },
): Promise<UsableDevices> {
  const { pool, nodes } = state;
  if (nodes.length === 0) return { blocked: "No node of this pool accepts pods at present.", unusable: new Map() };
  const reserved = await reservedDevices(tx, pool);
  const unusable = new Map(nodes.map(({ name, gpus }) => [name, unusableOn(reserved.get(name), gpus, pod)]));
  const blocked = pod.spot || pod.reservationId !== null ? undefined : await onDemandBlocked(tx, pod, state);
  return { unusable, ...(blocked !== undefined && { blocked }) };
}

async function onDemandBlocked(
  tx: Prisma.TransactionClient,
  pod: PodToPlace,
  state: PoolToUse & { now: Date },
): Promise<string | undefined> {
  const { keptGpus } = state;
  const free = Math.max(0, (await freeForPod(tx, pod, state)) - keptGpus);
  if (free >= pod.gpuCount) return undefined;
  const why =
    keptGpus > 0 ? "in use, or kept for reservations or a gang that waits" : "in use or kept for reservations";
  return `On-demand pods can have ${free} more GPUs of this pool; the others are ${why}.`;
}

async function freeForPod(
  tx: Prisma.TransactionClient,
  { expiresAt }: PodToPlace,
  { pool, nodes, now, isEmpty = false }: Omit<PoolToUse, "keptGpus"> & { now: Date; isEmpty?: boolean },
): Promise<number> {
  const capacity = nodes.reduce((sum, { gpus }) => sum + gpus, 0);
  const open = isEmpty ? [] : nodes.map(({ name }) => name);
  const calendar = await poolCalendar(tx, { pool, capacity, nodes: open }, now);
  return freeForOnDemand(calendar, now, (expiresAt.getTime() - now.getTime()) / DAY_MS);
}

/** Whether reservations leave on-demand pods of so many GPUs room, once the other on-demand pods have ended. */
export const hasRoomInCalendar = async (
  tx: Prisma.TransactionClient,
  pod: PodToPlace,
  state: Omit<PoolToUse, "keptGpus"> & { now: Date },
): Promise<boolean> => (await freeForPod(tx, pod, { ...state, isEmpty: true })) >= pod.gpuCount;

const unusableOn = (
  reserved: ReadonlyMap<number, Parameters<typeof isUsableBy>[0]> | undefined,
  gpus: number,
  pod: DeviceUser,
): Set<number> => new Set(Array.from({ length: gpus }, (_, i) => i).filter((i) => !isUsableBy(reserved?.get(i), pod)));
