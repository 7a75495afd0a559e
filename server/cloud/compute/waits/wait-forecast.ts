import { z } from "zod";
import type { PodRun, Prisma } from "../../../engines/postgres/generated/client";
import { GPU_MODELS } from "../../core/prices/gpu-models";
import { freeDiskMb, POD_DISK_MB } from "../placement/choose-node";
import { eligibleNodes } from "../placement/eligible-nodes";
import { NOTHING_USED, readNodes, usedRooms } from "../placement/pod-nodes.sql";
import type { PodToPlace } from "../placement/pod-to-place";
import { poolOf } from "../pools/fleet";
import { REGIONS, type Region } from "../pools/regions";
import { type ExpectedWait, expectedWait } from "./expected-wait";
import { gangWait } from "./gang-wait";
import { nearestShapes, type PodShape } from "./nearest-shapes";
import { type PoolState, readPool, roomOf } from "./pool-state";
import { queuePlace } from "./queue-place";
import { readGangWait } from "./read-gang-wait";
import { readWait, type Waiting } from "./read-wait";
import type { WaitingPod } from "./waiting-runs.sql";

export const BlockedBy = z.object({ code: z.string(), message: z.string() }).nullable();

export const NearestShapes = z.array(
  z.object({
    gpu: z.enum(GPU_MODELS).nullable(),
    gpu_count: z.int(),
    region: z.enum(REGIONS).nullable(),
    cpu: z.int(),
    memory_mb: z.int(),
    note: z.string().describe("How it differs from the pod"),
  }),
);

export const ExpectedWaitOut = z
  .object({
    seconds: z.int(),
    basis: z.string().describe("What the number is, in a sentence"),
    samples: z.int().describe("Of how many values it is the median; 0: it follows from ends that are known"),
  })
  .nullable();

export interface WaitForecast {
  nearest_shapes: z.infer<typeof NearestShapes>;
  expected_wait: z.infer<typeof ExpectedWaitOut>;
  queue_position: number | null;
}

/** A pod that waits, or would; of a pod that does not exist the run is the newest. */
export interface WaitingRun {
  pod: PodToPlace;
  run: Pick<PodRun, "id" | "createdAt">;
  /** How many pods of its gang do not exist, and would be created with it. */
  missing: number;
  now: Date;
}

/** What a pod that waits for capacity can expect, and what would fit now. Read it in a transaction with one snapshot. */
export async function waitForecastOf(tx: Prisma.TransactionClient, waiting: WaitingRun): Promise<WaitForecast> {
  const { pod, run, now } = waiting;
  const place = await queuePlace(tx, toWaitingPod(pod, run));
  const position = place?.position ?? null;
  const freeNodes = await currentNodes(tx, pod);
  const own = pod.gpu === null ? undefined : await readPool(tx, pod, { region: pod.region as Region, now });
  if (pod.gangName !== null) {
    const isNext = place?.isNext === true;
    const expected_wait = own ? await gangWaitOf(tx, { ...waiting, freeNodes, own, isNext }) : null;
    // What would fit one of its pods does not say when all of them fit.
    return { nearest_shapes: [], expected_wait, queue_position: position };
  }
  return {
    nearest_shapes: await nearestNow(tx, { pod, freeNodes, own, now }),
    expected_wait: await waitOf(tx, { pod, run, freeNodes, now, own, position }),
    queue_position: position,
  };
}

const NEEDS_ONE_NODE: ReadonlySet<string> = new Set(["no_disk", "volume_away", "node_away"]);

type Nearest = Pick<Waiting, "pod" | "freeNodes" | "own" | "now">;

async function nearestNow(tx: Prisma.TransactionClient, { pod, freeNodes, own, now }: Nearest) {
  // Shapes differ in GPUs, cores and memory only.
  if (pod.reasonCode !== null && NEEDS_ONE_NODE.has(pod.reasonCode)) return [];
  const others: PoolState[] = [];
  // The devices of a reservation are in one region.
  for (const region of own && pod.reservationId === null ? REGIONS : []) {
    if (region !== pod.region) others.push(await readPool(tx, pod, { region, now }));
  }
  const shapes = nearestShapes(shapeOf(pod), {
    own: own && roomOf(own),
    others: others.map(roomOf),
    nodeMemoryMb: Math.max(0, ...freeNodes.map(({ memoryMib }) => memoryMib)),
  });
  return shapes as WaitForecast["nearest_shapes"];
}

type AnyGang = WaitingRun & Pick<Parameters<typeof readGangWait>[1], "freeNodes" | "own" | "isNext">;

async function gangWaitOf(tx: Prisma.TransactionClient, { pod, ...gang }: AnyGang): Promise<ExpectedWait | null> {
  if (pod.gangName === null || isEndUnknown(pod)) return null;
  const facts = await readGangWait(tx, { ...gang, pod: { ...pod, gangName: pod.gangName } });
  return facts ? gangWait(facts) : null;
}

/** The nodes that have disk for a pod, with their free memory. */
async function currentNodes(tx: Prisma.TransactionClient, pod: PodToPlace): Promise<Waiting["freeNodes"]> {
  const [able, used] = [eligibleNodes(await readNodes(tx, pod.tenantId), pod), await usedRooms(tx)];
  const rooms = able.map((node) => ({ ...node, ...(used.get(node.id) ?? NOTHING_USED) }));
  return rooms
    .filter((room) => freeDiskMb(room) >= POD_DISK_MB)
    .map(({ id: node, memoryMb, usedMb }) => ({
      node,
      devices: [],
      cpuMilli: Number.POSITIVE_INFINITY,
      memoryMib: Math.max(0, memoryMb - usedMb),
    }));
}

/** Nothing tells when a node comes back, or when the disk of one has room. */
const UNKNOWN_ENDS: ReadonlySet<string> = new Set(["no_node", "no_disk", "volume_away", "node_away"]);

const isEndUnknown = ({ reasonCode }: PodToPlace): boolean => reasonCode !== null && UNKNOWN_ENDS.has(reasonCode);

type AnyWaiting = Omit<Waiting, "position"> & { position: number | null };

async function waitOf(
  tx: Prisma.TransactionClient,
  { position, ...waiting }: AnyWaiting,
): Promise<ExpectedWait | null> {
  if (position === null) return null;
  if (isEndUnknown(waiting.pod)) return null;
  return expectedWait(await readWait(tx, { ...waiting, position }));
}

const shapeOf = ({ gpu, gpuCount, region, cpu, memoryMb }: PodToPlace): PodShape => ({
  gpu,
  gpu_count: gpuCount,
  region,
  cpu,
  memory_mb: memoryMb,
});

const toWaitingPod = (pod: PodToPlace, { id, createdAt }: WaitingRun["run"]): WaitingPod => ({
  id,
  podId: pod.id,
  tenantId: pod.tenantId,
  projectId: pod.projectId,
  mode: pod.mode,
  gangName: pod.gangName,
  spot: pod.spot,
  pool: pod.gpu === null ? null : poolOf(pod.region ?? "", pod.gpu, pod.mode),
  gpuCount: pod.gpuCount,
  createdAt,
});
