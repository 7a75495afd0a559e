import type { Prisma } from "../../../engines/postgres/generated/client";
import type { Making } from "../placement/capacity";
import type { Blocked } from "../placement/choose-node";
import { type EndableRunRow, endableRuns, lockPodsNow } from "../placement/endable-runs.sql";
import { NOTICE_MS } from "../pod-records/grace-times";
import { LAST_RUN, type StoredPod } from "../pod-records/stored-pod";
import { nominate } from "../pools/nominations.sql";
import { chooseVictims, type VictimNode, type Victims } from "../scheduler/choose-victims";
import type { PodCtx } from "./pod";
import { reclaimPods } from "./reclaim-pods";

export const CAPACITY_NEEDED = { code: "capacity_needed", message: "An on-demand pod needs its GPUs." };

/**
 * Makes room for a run that does not fit on a locked pool: spot pods get notice, or wait again at once if their process
 * does not run, and their GPUs are kept for the run. Returns what the run waits for; undefined if no spot pods make room,
 * or another transaction changes one of them, in which case the next round tries again.
 */
export async function reclaimSpot(
  tx: Prisma.TransactionClient,
  ctx: PodCtx,
  { pool, cache, kept, runId, needed }: Making,
): Promise<Blocked | undefined> {
  const now = ctx.clock.now();
  const runs = await endableRuns(tx, pool, now);
  const victims = chooseVictims(victimNodes({ cache, kept }, runs), needed);
  const pods = victims && (await lockVictims(tx, victims, runs));
  if (!victims || !pods) return undefined;
  await reclaimPods(tx, ctx, { pods, reason: CAPACITY_NEEDED, now });
  await nominate(tx, { pool, runId, node: victims.node, devices: victims.devices });
  return { code: "reclaiming_spot", message: reclaimText({ nodes: [victims.node], pods, now }) };
}

/** What a pod or a gang waits for then. */
export function reclaimText({
  nodes,
  pods,
  now,
}: {
  nodes: readonly string[];
  pods: readonly StoredPod[];
  now: Date;
}): string {
  const where = nodes.join(", ");
  const until = new Date(now.getTime() + NOTICE_MS).toISOString();
  return pods.some(({ status }) => status === "ready")
    ? `Spot pods on ${where} end by ${until} to make room for it.`
    : `It gets GPUs of ${where} as soon as the pods there have ended.`;
}

/** Whether spot pods can make room for a run, so that they would be given notice. Changes nothing. */
export async function canReclaimSpot(
  tx: Prisma.TransactionClient,
  { pool, cache, kept, needed }: Making,
  now: Date,
): Promise<boolean> {
  return chooseVictims(victimNodes({ cache, kept }, await endableRuns(tx, pool, now)), needed) !== undefined;
}

/** The nodes without what is kept for others, and without the runs that end for others. */
export function victimNodes(
  { cache, kept: all }: Pick<Making, "cache" | "kept">,
  runs: readonly EndableRunRow[],
): VictimNode[] {
  return cache.room().map((room) => {
    const kept = all.filter(({ node }) => node === room.node);
    const keptDevices = new Set(kept.flatMap(({ devices }) => devices));
    const keptAmount = (of: "cpuMilli" | "memoryMib") => kept.reduce((sum, one) => sum + one[of], 0);
    return {
      node: room.node,
      freeDevices: room.freeDevices.filter((device) => !keptDevices.has(device)),
      freeCpuMilli: room.freeCpuMilli - keptAmount("cpuMilli"),
      freeMemoryMib: room.freeMemoryMib - keptAmount("memoryMib"),
      runs: runs.filter(({ node, devices }) => node === room.node && !devices.some((one) => keptDevices.has(one))),
    };
  });
}

/** Runs, and those of their gangs. */
function withGangs(runIds: readonly string[], runs: readonly EndableRunRow[]): string[] {
  const chosen = runs.filter(({ runId }) => runIds.includes(runId));
  const gangs = new Set(chosen.flatMap(({ gang }) => gang?.name ?? []));
  return runs.filter((run) => chosen.includes(run) || (run.gang && gangs.has(run.gang.name))).map(({ runId }) => runId);
}

/** The pods of the victims and of their gangs, locked, in the order in which the logs of their tenants are locked. */
export async function lockVictims(
  tx: Prisma.TransactionClient,
  victims: Pick<Victims, "runIds">,
  runs: readonly EndableRunRow[],
): Promise<StoredPod[] | undefined> {
  const runIds = withGangs(victims.runIds, runs);
  const ids = runs.filter(({ runId }) => runIds.includes(runId)).map(({ podId }) => podId);
  if (!(await lockPodsNow(tx, ids))) return undefined;
  const where = { id: { in: ids } };
  const pods = await tx.pod.findMany({ where, include: LAST_RUN, orderBy: [{ tenantId: "asc" }, { id: "asc" }] });
  return pods.every((pod) => isVictim(pod, runIds)) ? pods : undefined;
}

/** Whether a pod is still as it was when it was chosen. */
const isVictim = ({ spot, status, deletedAt, runs: [run] }: StoredPod, runIds: readonly string[]): boolean =>
  spot &&
  !deletedAt &&
  (status === "ready" || status === "pending") &&
  run !== undefined &&
  !run.endedAt &&
  runIds.includes(run.id);
