import type { Prisma } from "../../../engines/postgres/generated/client";
import { needsOneRack } from "../placement/one-rack";
import type { PodToPlace } from "../placement/pod-to-place";
import { isWaiting, membersOf } from "../pod-records/gang";
import { LAST_RUN, purchaseOf, type StoredPod } from "../pod-records/stored-pod";
import { isLivePool } from "../pools/fleet";
import { isOfGang } from "../pools/gang-keeps.sql";
import type { FreeNode } from "./free-nodes";
import type { GangWaitInput } from "./gang-wait";
import { poolCapacity } from "./pool-capacity";
import type { PoolState } from "./pool-state";
import { runEndings } from "./wait-rows.sql";

export interface WaitingGang {
  /** One of its pods. */
  pod: PodToPlace & { gangName: string };
  /** How many of its pods would be created. */
  missing: number;
  /** The nodes that run pods, with their free memory. */
  freeNodes: readonly FreeNode[];
  own: PoolState;
  /** Whether only its own pods are before it in the queue. */
  isNext: boolean;
  now: Date;
}

/** Reads what the wait of a gang depends on; undefined if pods of it are missing, or ending after a notice. */
export async function readGangWait(
  tx: Prisma.TransactionClient,
  gang: WaitingGang,
): Promise<GangWaitInput | undefined> {
  const { pod, missing, freeNodes, own, now } = gang;
  const stored = await tx.pod.findMany({ where: membersOf(pod), include: LAST_RUN });
  const isWhole = stored.length + missing >= (pod.gangSize ?? 0);
  if (!isWhole || stored.some(({ status }) => status === "reclaiming")) return undefined;
  const waiting = stored.filter(isWaiting);
  const members = waiting.length + missing;
  // Without what is kept for it, or if it is kept for another gang, others can take what becomes free.
  const isNext = own.keep ? isOfGang(own.keep, pod) : gang.isNext;
  const capacity = await poolCapacity(tx, own, { pod, members, runIds: waiting.flatMap(runIds), isNext, now });
  const domains = new Map(own.nodes.map(({ node, domain }) => [node, domain]));
  return {
    ...capacity,
    members,
    now,
    free: capacity.free.map((one) => ({ ...one, domain: domains.get(one.node) ?? null })),
    isSingle: needsOneRack(pod, { pool: own.pool, gpus: members * pod.gpuCount }),
    mayReclaim: purchaseOf(pod) === "on_demand",
    freeNodes: isLivePool(own.pool) ? undefined : { free: freeNodes, endings: await runEndings(tx, null, now) },
  };
}

const runIds = ({ runs }: StoredPod): string[] => runs.map(({ id }) => id);
