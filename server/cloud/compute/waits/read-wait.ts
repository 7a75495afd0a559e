import type { PodRun, Prisma } from "../../../engines/postgres/generated/client";
import type { PodToPlace } from "../placement/pod-to-place";
import type { WaitInput } from "./expected-wait";
import type { FreeNode } from "./free-nodes";
import { type Capacity, poolCapacity } from "./pool-capacity";
import type { PoolState } from "./pool-state";
import { pastEnds, pastWaits, runEndings } from "./wait-rows.sql";

const HISTORY_MS = 7 * 24 * 3600 * 1000;
const SECOND_MS = 1000;

export interface Waiting {
  pod: PodToPlace;
  run: Pick<PodRun, "id" | "createdAt">;
  /** The nodes that run pods, with their free memory. */
  freeNodes: readonly FreeNode[];
  /** The pool of its GPUs; undefined without GPUs. */
  own: PoolState | undefined;
  position: number;
  now: Date;
}

/** Reads what the wait of a pod depends on: on its pool, or on the nodes if it is memory that is missing there. */
export async function readWait(tx: Prisma.TransactionClient, waiting: Waiting): Promise<WaitInput> {
  const { pod, run, own, position, now } = waiting;
  const since = new Date(now.getTime() - HISTORY_MS);
  const pool = own?.pool ?? null;
  const isNext = position === 1;
  const capacity =
    own && pod.reasonCode !== "no_memory"
      ? await poolCapacity(tx, own, { pod, members: 1, runIds: [run.id], isNext, now })
      : await nodeCapacity(tx, waiting);
  return {
    ...capacity,
    now,
    position,
    waitedSeconds: (now.getTime() - run.createdAt.getTime()) / SECOND_MS,
    waits: await pastWaits(tx, pool, since),
    ends: await pastEnds(tx, pool, { ...pod, since }),
  };
}

async function nodeCapacity(
  tx: Prisma.TransactionClient,
  { pod, freeNodes, position, now }: Waiting,
): Promise<Capacity> {
  const endings = (await runEndings(tx, null, now)).map((ending) => ({ ...ending, devices: [] }));
  const needed = { gpus: 0, cpuMilli: 0, memoryMib: pod.memoryMb };
  return { needed, free: freeNodes, endings, isNext: position === 1, isAllowedAt: () => true };
}
