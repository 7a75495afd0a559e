import type { Pod, Prisma } from "../../../engines/postgres/generated/client";
import { addToTimeline } from "../pod-records/pod-timeline";
import { runIdOf } from "../pod-records/stored-pod";
import { isLivePool } from "../pools/fleet";
import { takeDevices } from "../pools/gpu-devices.sql";
import { endNomination } from "../pools/nominations.sql";
import type { GpuPools } from "../pools/pools";
import type { Capacity, Decision } from "./capacity";
import type { Blocked } from "./choose-node";
import { decidePlace } from "./decide-place";
import { lockNodes } from "./pod-nodes.sql";
import type { PodToPlace } from "./pod-to-place";

export interface PlaceCtx {
  db: Prisma.TransactionClient;
  /** The pools of GPUs that pods are placed on. */
  gpuPools: GpuPools;
  /** Makes room with GPUs of spot pods, for one that is not spot; absent: the pod waits for what is free. */
  makeRoom?: Capacity["makeRoom"];
}

const GANG_WAITS: Blocked = {
  code: "gang_incomplete",
  message: "The pods of its gang are placed together, in a moment.",
};

/**
 * Places the current run of a pod on a node and, if it has GPUs, on devices of a pool, all in the transaction of
 * `db`; or records why that is not possible now. Lock the pod first, or create it in `db`. A pod of a gang is placed by
 * `placeGang` instead, which locks all of them.
 */
export async function placeRun(ctx: PlaceCtx, pod: Pod, now: Date): Promise<boolean> {
  const { db: tx } = ctx;
  const decision = pod.gangName === null ? await decidePlace(lockedCapacity(ctx), pod, now) : GANG_WAITS;
  if ("code" in decision) {
    await recordWait(tx, pod, { ...decision, at: now });
    return false;
  }
  await assignRuns(tx, { placed: [{ pod, decision }], now });
  return true;
}

/** What a decision reads, locked until the transaction ends. */
export const lockedCapacity = ({ db: tx, gpuPools, makeRoom }: PlaceCtx): Capacity => ({
  tx,
  readPool: (pool) => gpuPools.lock(tx, pool),
  readNodes: (tenantId) => lockNodes(tx, tenantId),
  makeRoom,
});

/** What was decided about the current run of a pod. */
export interface PlacedRun {
  pod: PodToPlace;
  decision: Decision;
}

/** Records where runs are placed; their GPUs are of one pool. */
export async function assignRuns(
  tx: Prisma.TransactionClient,
  { placed, now }: { placed: readonly PlacedRun[]; now: Date },
): Promise<void> {
  const grants = placed.flatMap(({ pod, decision: { gpus } }) =>
    gpus ? [{ ...gpus, runId: runIdOf(pod.id, pod.runNumber) }] : [],
  );
  const [first] = grants;
  if (first) await takeDevices(tx, { ...first, grants });
  for (const { pod, decision } of placed) {
    const { nodeId, gpus } = decision;
    const runId = runIdOf(pod.id, pod.runNumber);
    if (gpus) await endNomination(tx, runId);
    const allocation = gpus && { pool: gpus.pool, node: gpus.node, devices: [...gpus.devices] };
    await tx.podRun.update({ where: { id: runId }, data: { nodeId, placedAt: now, ...allocation } });
    await tx.pod.update({ where: { id: pod.id }, data: { reasonCode: null, reasonText: null } });
    const on = gpus
      ? ` on ${gpus.node} of ${gpus.pool}${isLivePool(gpus.pool) ? "" : " (simulated)"}, devices ${gpus.devices.join(", ")}`
      : "";
    await addToTimeline(tx, pod, { type: "placed", message: `Capacity was assigned${on}.`, at: now });
  }
}

/** Records why the current run of a pod waits. */
export async function recordWait(
  tx: Prisma.TransactionClient,
  pod: Pod,
  { code, message, at }: Blocked & { at: Date },
): Promise<void> {
  if (pod.reasonText === message) return;
  await tx.pod.update({ where: { id: pod.id }, data: { reasonCode: code, reasonText: message } });
  // What is free changes all the time, and the timeline is bounded by what happens to the pod itself.
  if (pod.reasonCode !== code) await addToTimeline(tx, pod, { type: "waiting", message, at });
}
