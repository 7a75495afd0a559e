import type { Pod, Prisma } from "../../engines/postgres/generated/client";
import { FLEET, type GpuModel, poolOf } from "../gpu-pools/fleet";
import { usableDevices } from "../reserved-gpus/usable-devices";
import { type Blocked, chooseRunner } from "./choose-runner";
import { type GangKey, membersOf } from "./gang";
import { assignRuns, type PlaceCtx, type PlacedRun, recordWait, requestOf, reservedOf } from "./place-run";
import { LAST_RUN, type StoredPod } from "./pod";
import { lockPods, lockRunners, usedMemory } from "./pods.sql";

/**
 * Places all pods of a gang that wait, or none and records why, once `size` of its pods wait or run. In one transaction
 * that has locked nothing before, because it locks all of them in order. Returns how many were placed.
 */
export async function placeGang(ctx: PlaceCtx, gang: GangKey, now: Date): Promise<number> {
  const { db: tx } = ctx;
  const ids = await tx.pod.findMany({ where: membersOf(gang), select: { id: true }, orderBy: { id: "asc" } });
  await lockPods(
    tx,
    ids.map(({ id }) => id),
  );
  const members = await tx.pod.findMany({ where: membersOf(gang), include: LAST_RUN, orderBy: { id: "asc" } });
  const waiting = members.filter(isWaiting);
  const [first] = waiting;
  if (!first) return 0;
  const decided = await decideAll(ctx, { first, waiting, present: members.length, now });
  if ("placed" in decided) {
    await assignRuns(tx, { ...decided, now });
    return waiting.length;
  }
  for (const pod of waiting) await recordWait(tx, pod, { ...decided, at: now });
  return 0;
}

const isWaiting = ({ status, runs: [run] }: StoredPod): boolean =>
  status === "pending" && run !== undefined && run.runnerId === null && run.endedAt === null;

interface Waiting {
  /** One of those that wait; they are equal in what they need. */
  first: StoredPod;
  waiting: readonly StoredPod[];
  /** How many pods of the gang wait or run. */
  present: number;
  now: Date;
}

async function decideAll(ctx: PlaceCtx, gang: Waiting): Promise<{ placed: PlacedRun[] } | Blocked> {
  const { first, waiting, present, now } = gang;
  if (present < (first.gangSize ?? 0)) return incomplete(first, present);
  const { gpuPools, db: tx } = ctx;
  const { pool, version, cache, nominations } = await gpuPools.lock(tx, poolOf(first.region ?? "", first.gpu ?? ""));
  // The pool before the machines, as for single pods: the two cannot wait for each other.
  const runners = await decideRunners(tx, waiting);
  if ("code" in runners) return runners;
  const all = { ...first, gpuCount: first.gpuCount * waiting.length };
  const usable = await usableDevices(tx, all, { pool, nodes: cache.sizes(), now });
  if ("blocked" in usable) {
    return { code: "no_gpus", message: `The gang needs ${all.gpuCount} GPUs at once. ${usable.blocked}` };
  }
  const kept = [...nominations, ...reservedOf(usable.unusable)];
  const size = {
    members: waiting.length,
    isSingle: fitsOneRack(first.gpu as GpuModel, all.gpuCount),
  };
  const placed = cache.placeGang(requestOf(first), { ...size, kept });
  if ("blocked" in placed) return { code: "no_gpus", message: placed.blocked };
  const assigned = runners.map(({ pod, runnerId }, i) => {
    const gpus = { pool, version, ...(placed[i] as (typeof placed)[number]) };
    return { pod, decision: { runnerId, gpus } };
  });
  return { placed: assigned };
}

/** A pod of a gang waits until the gang is complete. */
const incomplete = ({ gangName, gangSize }: Pod, present: number): Blocked => ({
  code: "gang_incomplete",
  message: `${present} of the ${gangSize} pods of the gang ${gangName} wait or run; they are placed together.`,
});

/** A machine for each of the pods, or why there is none. */
async function decideRunners(
  tx: Prisma.TransactionClient,
  pods: readonly Pod[],
): Promise<{ pod: Pod; runnerId: string }[] | Blocked> {
  const runners = await lockRunners(tx);
  const used = await usedMemory(tx);
  const chosen: { pod: Pod; runnerId: string }[] = [];
  for (const pod of pods) {
    const { memoryMb } = pod;
    const one = chooseRunner(
      runners.map((runner) => ({ ...runner, usedMb: used.get(runner.id) ?? 0 })),
      memoryMb,
    );
    if ("code" in one) return { ...one, message: `${one.message} The ${pods.length} pods are placed together.` };
    used.set(one.runnerId, (used.get(one.runnerId) ?? 0) + memoryMb);
    chosen.push({ pod, ...one });
  }
  return chosen;
}

/** Pods that a rack with one NVLink domain could hold wait for one that does. */
function fitsOneRack(model: GpuModel, gpus: number): boolean {
  const { nodesPerRack, gpusPerNode } = FLEET[model];
  return nodesPerRack !== undefined && gpus <= nodesPerRack * gpusPerNode;
}
