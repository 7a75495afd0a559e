import type { Prisma } from "../../../engines/postgres/generated/client";
import { type PodToPlace, requestOf } from "../placement/pod-to-place";
import { TURNAROUND_MS } from "../reserved-gpus/free-for-on-demand";
import type { Ending, WaitInput } from "./expected-wait";
import { type FreeNode, freeNodes } from "./free-nodes";
import { freeForNew, type PoolState } from "./pool-state";
import { type RunEnding, reservationEndings, runEndings } from "./wait-rows.sql";

export interface PoolWait {
  /** One of the pods that wait together, which are alike, and how many they are. */
  pod: PodToPlace;
  members: number;
  /** Those of their runs that exist. */
  runIds: readonly string[];
  /** Whether they are next in the queue. */
  isNext: boolean;
  now: Date;
}

export type Capacity = Pick<WaitInput, "needed" | "free" | "endings" | "isNext" | "isAllowedAt">;

/** What pods can have of a pool now, and what becomes free for them. */
export async function poolCapacity(
  tx: Prisma.TransactionClient,
  state: PoolState,
  { pod, members, runIds, isNext, now }: PoolWait,
): Promise<Capacity> {
  const { pool, nodes, nominations, isUsable } = state;
  const own = nominations.filter(({ runId }) => runIds.includes(runId));
  const kept = nominations.filter((one) => !own.includes(one));
  const hasAll = own.length >= members;
  // Pods stay with what is kept for all of them.
  const isOpen = (device: Device) => (hasAll ? isAmong(own, device) : !isAmong(kept, device));
  const runs = await runEndings(tx, pool, now);
  const usable = runs.map((one) => only(one, (device) => isUsable(one.node, device)));
  const endings = [...usable, ...(await endingReservations(tx, pool, pod))];
  const openOf = <T extends FreeNode>(one: T): T => only(one, (device) => isOpen({ node: one.node, device }));
  const { gpus, cpuMilli, memoryMib } = requestOf(pod);
  return {
    needed: { gpus, cpuMilli, memoryMib },
    free: freeNodes(nodes, { kept, isUsable }).map(openOf),
    endings: endings.map(openOf),
    isNext: hasAll || isNext,
    isAllowedAt: allowedBy(state, { gpus: members * gpus, runs, now }),
  };
}

/** By the calendar of the pool, in which pods that are ending still have their whole lifetime. */
function allowedBy(
  { calendar }: PoolState,
  { gpus, runs, now }: { gpus: number; runs: readonly RunEnding[]; now: Date },
) {
  if (!calendar) return () => true;
  for (const { isEnding, isOnDemand, expiresAt, devices } of runs) {
    if (!isEnding || !isOnDemand) continue;
    calendar.remove({ from: now.getTime(), to: expiresAt.getTime() + TURNAROUND_MS, count: devices.length });
  }
  return (at: Date): boolean => freeForNew(calendar, new Date(at.getTime() + TURNAROUND_MS)) >= gpus;
}

interface Device {
  node: string;
  device: number;
}

const only = <T extends FreeNode>(one: T, isIncluded: (device: number) => boolean): T => ({
  ...one,
  devices: one.devices.filter(isIncluded),
});

const isAmong = (kept: PoolState["nominations"], { node, device }: Device): boolean =>
  kept.some((one) => one.node === node && one.devices.includes(device));

/** What a reservation frees at its end is for others. */
const endingReservations = async (tx: Prisma.TransactionClient, pool: string, pod: PodToPlace): Promise<Ending[]> =>
  pod.reservationId === null ? reservationEndings(tx, pool) : [];
