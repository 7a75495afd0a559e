import type { PodRun, Prisma } from "../../engines/postgres/generated/client";
import { TURNAROUND_MS } from "../reserved-gpus/free-for-on-demand";
import type { Ending, WaitFacts } from "./expected-wait";
import { type FreeNode, freeNodes } from "./free-nodes";
import type { PodToPlace } from "./pod-to-place";
import { freeForNew, type PoolState } from "./pool-state";
import { pastEnds, pastWaits, type RunEnding, reservationEndings, runEndings } from "./wait-rows.sql";

const HISTORY_MS = 7 * 24 * 3600 * 1000;
const MILLI_PER_CORE = 1000;
const SECOND_MS = 1000;

export interface Waiting {
  pod: PodToPlace;
  run: Pick<PodRun, "id" | "createdAt">;
  /** The machines that run pods, with their free memory. */
  machines: readonly FreeNode[];
  /** The pool of its GPUs; undefined without GPUs. */
  own: PoolState | undefined;
  position: number;
  now: Date;
}

/** Reads what the wait of a pod depends on: on its pool, or on the machines if it is memory that is missing there. */
export async function readWait(tx: Prisma.TransactionClient, waiting: Waiting): Promise<WaitFacts> {
  const { pod, run, own, position, now } = waiting;
  const since = new Date(now.getTime() - HISTORY_MS);
  const pool = own?.pool ?? null;
  const capacity =
    own && pod.reasonCode !== "no_memory" ? await poolCapacity(tx, own, waiting) : await machineCapacity(tx, waiting);
  return {
    ...{ ...capacity, now, position },
    waitedSeconds: (now.getTime() - run.createdAt.getTime()) / SECOND_MS,
    waits: await pastWaits(tx, pool, since),
    ends: await pastEnds(tx, pool, { ...pod, since }),
  };
}

type Capacity = Pick<WaitFacts, "needed" | "free" | "endings" | "isNext" | "isAllowedAt">;

async function machineCapacity(
  tx: Prisma.TransactionClient,
  { pod, machines, position, now }: Waiting,
): Promise<Capacity> {
  const endings = (await runEndings(tx, null, now)).map((ending) => ({ ...ending, devices: [] }));
  const needed = { gpus: 0, cpuMilli: 0, memoryMib: pod.memoryMb };
  return { needed, free: machines, endings, isNext: position === 1, isAllowedAt: () => true };
}

async function poolCapacity(
  tx: Prisma.TransactionClient,
  state: PoolState,
  { pod, run, position, now }: Waiting,
): Promise<Capacity> {
  const { pool, nodes, nominations, isUsable } = state;
  const own = nominations.find(({ runId }) => runId === run.id);
  const kept = nominations.filter((one) => one !== own);
  // A pod stays with what is kept for it.
  const isOpen = ({ node, device }: Device) =>
    own ? node === own.node && own.devices.includes(device) : !isKept(kept, { node, device });
  const runs = await runEndings(tx, pool, now);
  const usable = runs.map((one) => only(one, (device) => isUsable(one.node, device)));
  const endings = [...usable, ...(await endingReservations(tx, pool, pod))];
  const openOf = <T extends FreeNode>(one: T): T => only(one, (device) => isOpen({ node: one.node, device }));
  return {
    needed: { gpus: pod.gpuCount, cpuMilli: pod.cpu * MILLI_PER_CORE, memoryMib: pod.memoryMb },
    free: freeNodes(nodes, { kept, isUsable }).map(openOf),
    endings: endings.map(openOf),
    isNext: own !== undefined || position === 1,
    isAllowedAt: allowedBy(state, { pod, runs, now }),
  };
}

/** By the calendar of the pool, in which pods that are ending still have their whole lifetime. */
function allowedBy(
  { calendar }: PoolState,
  { pod, runs, now }: { pod: PodToPlace; runs: readonly RunEnding[]; now: Date },
) {
  if (!calendar) return () => true;
  for (const { isEnding, isOnDemand, expiresAt, devices } of runs) {
    if (!isEnding || !isOnDemand) continue;
    calendar.remove({ from: now.getTime(), to: expiresAt.getTime() + TURNAROUND_MS, count: devices.length });
  }
  return (at: Date): boolean => freeForNew(calendar, new Date(at.getTime() + TURNAROUND_MS)) >= pod.gpuCount;
}

interface Device {
  node: string;
  device: number;
}

const only = <T extends FreeNode>(one: T, isIncluded: (device: number) => boolean): T => ({
  ...one,
  devices: one.devices.filter(isIncluded),
});

const isKept = (kept: PoolState["nominations"], { node, device }: Device): boolean =>
  kept.some((one) => one.node === node && one.devices.includes(device));

/** What a reservation frees at its end is for others. */
const endingReservations = async (tx: Prisma.TransactionClient, pool: string, pod: PodToPlace): Promise<Ending[]> =>
  pod.reservationId === null ? reservationEndings(tx, pool) : [];
