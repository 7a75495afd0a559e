import type { Pod, Prisma } from "../../engines/postgres/generated/client";
import type { CloudCtx } from "../cloud-ctx";
import type { Kept } from "../gpu-pools/cached-pool";
import { poolOf } from "../gpu-pools/fleet";
import { takeDevices } from "../gpu-pools/gpu-devices.sql";
import type { LockedPool } from "../gpu-pools/gpu-pools";
import { endNomination, type Nomination } from "../gpu-pools/nominations.sql";
import { usableDevices } from "../reserved-gpus/usable-devices";
import { GPU_MILLI, type GpuRequest } from "../scheduler/gpu-request";
import { type Blocked, chooseRunner } from "./choose-runner";
import { runIdOf } from "./pod";
import { addToTimeline } from "./pod-timeline";
import { lockRunners, usedMemory } from "./pods.sql";
import { type ReclaimCtx, reclaimSpot } from "./reclaim-spot";

export interface PlaceCtx extends Pick<CloudCtx, "gpuPools"> {
  db: Prisma.TransactionClient;
  /**
   * Lets pods that are not spot reclaim GPUs of spot pods, which writes events of other tenants: only in a transaction
   * that has written no event or audit entry before.
   */
  reclaims?: ReclaimCtx;
}

const MILLI_PER_CORE = 1000;
const GANG_WAITS: Blocked = {
  code: "gang_incomplete",
  message: "The pods of its gang are placed together, in a moment.",
};

/**
 * Places the current run of a pod on a machine and, if it has GPUs, on devices of a pool, all in the transaction of
 * `db`; or records why that is not possible now. Lock the pod first, or create it in `db`. A pod of a gang is placed by
 * `placeGang` instead, which locks all of them.
 */
export async function placeRun(ctx: PlaceCtx, pod: Pod, now: Date): Promise<boolean> {
  const { db: tx } = ctx;
  const decision = pod.gangName === null ? await decide(ctx, pod, now) : GANG_WAITS;
  if ("code" in decision) {
    await recordWait(tx, pod, { ...decision, at: now });
    return false;
  }
  await assignRuns(tx, { placed: [{ pod, decision }], now });
  return true;
}

/** What was decided about the current run of a pod. */
export interface PlacedRun {
  pod: Pod;
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
    const { runnerId, gpus } = decision;
    const runId = runIdOf(pod.id, pod.runNumber);
    if (gpus) await endNomination(tx, runId);
    const allocation = gpus && { pool: gpus.pool, node: gpus.node, devices: [...gpus.devices] };
    await tx.podRun.update({ where: { id: runId }, data: { runnerId, ...allocation } });
    await tx.pod.update({ where: { id: pod.id }, data: { reasonCode: null, reasonText: null } });
    const on = gpus ? ` on ${gpus.node} of ${gpus.pool} (simulated), devices ${gpus.devices.join(", ")}` : "";
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

interface Decision {
  runnerId: string;
  gpus?: ChosenGpus;
}

interface ChosenGpus extends Pick<LockedPool, "pool" | "version"> {
  node: string;
  devices: readonly number[];
}

async function decide(ctx: PlaceCtx, pod: Pod, now: Date): Promise<Decision | Blocked> {
  const { db: tx } = ctx;
  const gpus = pod.gpu !== null && pod.region !== null ? await decideGpus(ctx, pod, now) : undefined;
  if (gpus && "code" in gpus) return gpus;
  const chosen = await decideRunner(tx, pod);
  if ("code" in chosen) return chosen;
  return { ...chosen, ...(gpus && { gpus }) };
}

async function decideRunner(tx: Prisma.TransactionClient, { memoryMb: needed }: Pod) {
  const runners = await lockRunners(tx);
  const used = await usedMemory(tx);
  return chooseRunner(
    runners.map(({ id, memoryMb }) => ({ id, memoryMb, usedMb: used.get(id) ?? 0 })),
    needed,
  );
}

async function decideGpus(ctx: PlaceCtx, pod: Pod, now: Date): Promise<ChosenGpus | Blocked> {
  const { db: tx, gpuPools, reclaims } = ctx;
  const locked = await gpuPools.lock(tx, poolOf(pod.region ?? "", pod.gpu ?? ""));
  const { pool, version, cache, nominations } = locked;
  const [runId, needed] = [runIdOf(pod.id, pod.runNumber), requestOf(pod)];
  const own = nominations.find((one) => one.runId === runId);
  const usable = await usableDevices(tx, pod, { pool, nodes: cache.sizes(), now });
  if ("blocked" in usable) {
    if (own) await endNomination(tx, runId);
    return { code: "no_gpus", message: usable.blocked };
  }
  const isReserved = own?.devices.some((device) => usable.unusable.get(own.node)?.has(device));
  const claimed = own && !isReserved && claim(locked, own, pod);
  if (claimed) return claimed;
  if (own) await endNomination(tx, runId);
  const kept = [...nominations.filter((one) => one !== own), ...reservedOf(usable.unusable)];
  const placed = cache.place(needed, { isNew: pod.reasonCode === null, kept });
  if (!("blocked" in placed)) return { pool, version, ...placed };
  const isBlocked: Blocked = { code: "no_gpus", message: placed.blocked };
  // What a reservation has lent is reclaimed with it.
  if (!reclaims || pod.spot || pod.reservationId !== null) return isBlocked;
  // Nothing is ended for a pod that could not run then.
  const runner = await decideRunner(tx, pod);
  if ("code" in runner) return runner;
  return (await reclaimSpot(tx, reclaims, { pool, cache, kept, runId, needed })) ?? isBlocked;
}

/** What a pod may not have of a pool, without cores and memory. */
export const reservedOf = (unusable: ReadonlyMap<string, ReadonlySet<number>>): Kept[] =>
  [...unusable].flatMap(([node, devices]) =>
    devices.size === 0 ? [] : { node, devices: [...devices], cpuMilli: 0, memoryMib: 0 },
  );

/**
 * The devices that are kept for a run, or that it waits for them; undefined if their node no longer accepts pods. A run
 * stays with them even if others become free meanwhile: pods have been given notice for it.
 */
function claim({ pool, version, cache }: LockedPool, own: Nomination, pod: Pod): ChosenGpus | Blocked | undefined {
  const room = cache.roomOn(own.node);
  if (!room) return undefined;
  const isFree =
    own.devices.every((device) => room.freeDevices.includes(device)) &&
    room.freeCpuMilli >= own.cpuMilli &&
    room.freeMemoryMib >= own.memoryMib;
  if (isFree) return { pool, version, node: own.node, devices: own.devices };
  return { code: "reclaiming_spot", message: pod.reasonText ?? `It gets GPUs of ${own.node}.` };
}

/** What a pod needs of one node. */
export const requestOf = ({ cpu, memoryMb, gpuCount }: Pod): GpuRequest => ({
  ...{ cpuMilli: cpu * MILLI_PER_CORE, memoryMib: memoryMb },
  ...{ gpus: gpuCount, gpuMilli: GPU_MILLI, models: [] },
});
