import type { Prisma } from "../../../engines/postgres/generated/client";
import type { GangMaking } from "../placement/capacity";
import type { Blocked } from "../placement/choose-node";
import { type EndableRunRow, endableRuns, latestEnd } from "../placement/endable-runs.sql";
import { endableBy } from "../placement/kept-for-gang";
import { type PodToPlace, requestOf } from "../placement/pod-to-place";
import { runIdOf } from "../pod-records/stored-pod";
import type { Kept } from "../pools/cached-pool";
import { endGangKeep, type GangKeep, type GangPlace, isOfGang, startGangKeep } from "../pools/gang-keeps.sql";
import { nominate } from "../pools/nominations.sql";
import { chooseVictims, type VictimNode, type Victims } from "../scheduler/choose-victims";
import { type GangNode, planGang } from "../scheduler/plan-gang";
import type { PodCtx } from "./pod";
import { reclaimPods } from "./reclaim-pods";
import { CAPACITY_NEEDED, lockVictims, reclaimText, victimNodes } from "./reclaim-spot";

/** How long a gang waits, from when all of its pods wait or run, until GPUs are kept for it. */
const KEEP_AFTER_MS = 5 * 60_000;

interface WaitingGang {
  /** Its pods that wait, alike, and since when the last of them does. */
  waiting: readonly PodToPlace[];
  since: Date;
  now: Date;
}

/**
 * Makes room for a gang, or keeps for it what becomes free, and returns what it waits for. Spot pods get notice if all of
 * its pods fit then; otherwise, when it has waited for 5 minutes, the nodes on which the fewest further GPUs are missing
 * are kept for it until it is placed. One gang of a pool has them at a time, an on-demand gang before a spot gang.
 */
export async function makeGangRoom(
  tx: Prisma.TransactionClient,
  ctx: PodCtx,
  { gang, making }: { gang: WaitingGang; making: GangMaking },
): Promise<Blocked> {
  const [first] = gang.waiting;
  if (!first) return making.why;
  const found = await findPlaces(tx, { gang, making, first });
  if (!found || (found.own && !(await making.couldStart()))) {
    await endGangKeep(tx, first);
    return making.why;
  }
  const waits = making.isLimited || first.spot ? undefined : await reclaimPlaces(tx, ctx, { gang, making, found });
  if (waits) return waits;
  if (!found.own && !(await mayKeep(gang, { making, first }))) return making.why;
  if (!found.own) await startKeep(tx, first, { pool: making.pool, places: found.places, now: gang.now });
  return { ...making.why, message: `${making.why.message} ${keepText(found)}` };
}

async function startKeep(
  tx: Prisma.TransactionClient,
  { projectId, mode, gangName, spot }: PodToPlace,
  { pool, places, now }: { pool: string; places: GangPlace[]; now: Date },
): Promise<void> {
  const startsBy = await latestEnd(tx, { pool, nodes: places, spot, now });
  if (gangName !== null) await startGangKeep(tx, { pool, projectId, mode, gangName, places, startsBy, now });
}

interface Found {
  /** What is kept for the gang already. */
  own: GangKeep | undefined;
  places: GangPlace[];
  nodes: (VictimNode & GangNode)[];
  runs: readonly EndableRunRow[];
  missingGpus: number;
}

interface Search {
  gang: WaitingGang;
  making: GangMaking;
  first: PodToPlace;
}

/** The nodes for a gang: those that are kept for it while they can hold it, else the best ones. */
async function findPlaces(tx: Prisma.TransactionClient, { gang, making, first }: Search): Promise<Found | undefined> {
  const { pool, cache, kept, keep, isSingle } = making;
  const runs = endableBy(first, await endableRuns(tx, pool, gang.now));
  const sizes = new Map(cache.room().map(({ node, size }) => [node, size]));
  const nodes = victimNodes({ cache, kept }, runs).map((node) => {
    const size = sizes.get(node.node);
    return {
      ...node,
      domain: size?.domain ?? null,
      membersMax: size ? membersMax(first, { size, kept: kept.filter((one) => one.node === node.node) }) : 0,
      freeGpus: node.freeDevices.length,
      endableGpus: node.runs.reduce((sum, { devices }) => sum + devices.length, 0),
    };
  });
  const wanted = { members: gang.waiting.length, gpus: first.gpuCount, isSingle };
  const own = keep && isOfGang(keep, first) && holds(keep, nodes, wanted.members) ? keep : undefined;
  const chosen = own ? nodesOf(own, nodes) : nodes;
  const plan = planGang(chosen, wanted);
  if (!plan) return undefined;
  return { own, places: own?.places ?? plan.places, nodes, runs, missingGpus: plan.missingGpus };
}

type Node = Found["nodes"][number];

/** The kept nodes, each for the members that it is to hold. */
const nodesOf = ({ places }: GangKeep, nodes: readonly Node[]): Node[] =>
  places.flatMap(({ node, members }) => {
    const found = nodes.find((one) => one.node === node);
    return found ? { ...found, membersMax: members } : [];
  });

const holds = ({ places }: GangKeep, nodes: readonly Node[], members: number): boolean =>
  places.reduce((sum, place) => sum + place.members, 0) === members &&
  places.every(({ node, members: count }) => nodes.some((one) => one.node === node && one.membersMax >= count));

/** How many pods of the gang a node can hold beside what others alone may use. */
function membersMax(
  first: PodToPlace,
  { size, kept }: { size: { gpus: number; cpuMilli: number; memoryMib: number }; kept: readonly Kept[] },
): number {
  const { gpus, cpuMilli, memoryMib } = requestOf(first);
  const devices = new Set(kept.flatMap((one) => one.devices));
  const sum = (of: "cpuMilli" | "memoryMib") => kept.reduce((total, one) => total + one[of], 0);
  return Math.max(
    0,
    Math.floor(
      Math.min(
        (size.gpus - devices.size) / gpus,
        (size.cpuMilli - sum("cpuMilli")) / cpuMilli,
        (size.memoryMib - sum("memoryMib")) / memoryMib,
      ),
    ),
  );
}

/** Gives spot pods notice if the gang fits when they have ended, and keeps their GPUs for its pods one by one. */
async function reclaimPlaces(
  tx: Prisma.TransactionClient,
  ctx: PodCtx,
  { gang, making, found }: { gang: WaitingGang; making: GangMaking; found: Found },
): Promise<Blocked | undefined> {
  const [first] = gang.waiting;
  const chosen = first && victimsOf(first, found);
  const pods = chosen && (await lockVictims(tx, { runIds: chosen.flatMap(({ runIds }) => runIds) }, found.runs));
  if (!chosen || !pods) return undefined;
  await reclaimPods(tx, ctx, { pods, reason: CAPACITY_NEEDED, now: gang.now });
  const grants = chosen.flatMap(({ node, devices }) =>
    chunksOf(devices, first.gpuCount).map((some) => ({ node, devices: some })),
  );
  for (const [i, { id, runNumber }] of gang.waiting.entries()) {
    const grant = grants[i];
    if (grant) await nominate(tx, { pool: making.pool, runId: runIdOf(id, runNumber), ...grant });
  }
  const nodes = chosen.map(({ node }) => node);
  return { code: "reclaiming_spot", message: reclaimText({ nodes, pods, now: gang.now }) };
}

/** Of each node of a plan, the runs that have to end; undefined if one of the nodes cannot hold its members even then. */
function victimsOf(first: PodToPlace, { places, nodes }: Found): Victims[] | undefined {
  const { gpus, cpuMilli, memoryMib } = requestOf(first);
  const chosen: Victims[] = [];
  for (const { node, members } of places) {
    const found = nodes.filter((one) => one.node === node);
    const needed = { gpus: gpus * members, cpuMilli: cpuMilli * members, memoryMib: memoryMib * members };
    const victims = chooseVictims(found, needed);
    if (!victims) return undefined;
    chosen.push(victims);
  }
  return chosen;
}

const chunksOf = (devices: readonly number[], size: number): number[][] =>
  Array.from({ length: Math.floor(devices.length / size) }, (_, i) => devices.slice(i * size, (i + 1) * size));

async function mayKeep(
  { since, now }: WaitingGang,
  { making, first }: Pick<Search, "making" | "first">,
): Promise<boolean> {
  if (now.getTime() - since.getTime() < KEEP_AFTER_MS) return false;
  const { keep, couldStart } = making;
  const isTaken = keep !== undefined && !isOfGang(keep, first) && !(keep.spot && !first.spot);
  return !isTaken && (await couldStart());
}

function keepText({ places, missingGpus }: Found): string {
  const nodes = places.map(({ node }) => node).join(", ");
  const left = missingGpus === 1 ? "1 more GPU is" : `${missingGpus} more GPUs are`;
  return `GPUs of ${nodes} are kept for it as they become free; ${left} needed there.`;
}
