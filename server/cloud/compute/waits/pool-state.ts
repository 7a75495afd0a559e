import type { Prisma } from "../../../engines/postgres/generated/client";
import type { GpuModel } from "../../core/prices/gpu-models";
import { type NodeCapacity, nodeCapacities } from "../gpu-nodes/gpu-nodes.sql";
import { type BoundToNode, isAllowedOn } from "../placement/bound-to-node";
import { keptForGang } from "../placement/kept-for-gang";
import type { PodToPlace } from "../placement/pod-to-place";
import { purchaseOf } from "../pod-records/stored-pod";
import { modelOfPool, nodesOfPool, poolOf } from "../pools/fleet";
import { type GangKeep, gangKeepOf } from "../pools/gang-keeps.sql";
import { gpuQuota } from "../pools/gpu-quotas";
import { type Nomination, nominationsOf } from "../pools/nominations.sql";
import { changedNodes, type NodeRow } from "../pools/pools.sql";
import type { Region } from "../pools/regions";
import type { CapacityCalendar } from "../reserved-gpus/capacity-calendar";
import { freeForOnDemand } from "../reserved-gpus/free-for-on-demand";
import { poolCalendar } from "../reserved-gpus/pool-calendar";
import { usedGpus } from "../reserved-gpus/reservation-room";
import { isUsableBy, reservedDevices } from "../reserved-gpus/reserved-devices";
import { freeNodes } from "./free-nodes";
import type { PoolRoom } from "./nearest-shapes";

const LIFETIME_DAYS = 30;

/** A pool as a pod finds it. */
export interface PoolState {
  pool: string;
  region: Region;
  nodes: NodeRow[];
  /** Also what is kept for a gang, as far as the pod has to leave it; that is of no run. */
  nominations: Nomination[];
  /** What is kept for a gang of any project. */
  keep: GangKeep | undefined;
  /** false: a reservation keeps the device from the pod. */
  isUsable: (node: string, device: number) => boolean;
  /** What reservations leave on-demand pods over time; undefined for other pods. */
  calendar: CapacityCalendar | undefined;
  /** The most GPUs that such a pod can have beside it, by the quota of its tenant, reservations and a gang. */
  gpusMax: number;
}

/**
 * Reads the pool of a pod's GPU model in a region, without a lock: a decision that comes after it may change it. Read it
 * in a transaction with one snapshot. The scheduler of the process stays as it is.
 */
export async function readPool(
  tx: Prisma.TransactionClient,
  pod: PodToPlace,
  { region, now }: { region: Region; now: Date },
): Promise<PoolState> {
  const gpu = pod.gpu as GpuModel;
  const pool = poolOf(region, gpu, pod.mode);
  const nodes = withNodes(await nodesNow(tx, pool), await nodeCapacities(tx, pool), pod);
  const single = await nominationsOf(tx, pool);
  const state = { pool, keep: await gangKeepOf(tx, pool), nominations: single, freeOn: freeIn(nodes) };
  const gang = await keptForGang(tx, state, { pod, now });
  const nominations = [
    ...single,
    ...gang.kept.map(({ devices, ...one }) => ({ ...one, devices: [...devices], runId: "" })),
  ];
  const reserved = await reservedDevices(tx, pool);
  const isUsable = (node: string, device: number) => isUsableBy(reserved.get(node)?.get(device), pod);
  const capacity = nodes.reduce((sum, { gpus, isCordoned }) => sum + (isCordoned ? 0 : gpus), 0);
  const calendar = purchaseOf(pod) === "on_demand" ? await poolCalendar(tx, { pool, capacity }, now) : undefined;
  const quota = await quotaLeft(tx, pod, { gpu, region, now });
  const gpusMax = calendar ? Math.min(quota, Math.max(0, freeForNew(calendar, now) - gang.gpus)) : quota;
  return { pool, region, nodes, nominations, keep: state.keep, isUsable, calendar, gpusMax };
}

/** The free devices of the nodes that accept pods. */
const freeIn = (nodes: readonly NodeRow[]) => (name: string) => {
  const row = nodes.find(({ node, isCordoned }) => node === name && !isCordoned);
  return row && Array.from({ length: row.gpus }, (_, device) => device).filter((one) => !row.heldDevices.includes(one));
};

/** What a new pod like the one that waits can have beside it. */
export const roomOf = ({ region, nodes, nominations, isUsable, gpusMax }: PoolState): PoolRoom => ({
  region,
  gpusMax,
  nodes: freeNodes(nodes, { kept: nominations, isUsable }),
});

/** How many GPUs a new on-demand pod can have from a time on. */
export const freeForNew = (calendar: CapacityCalendar, at: Date): number =>
  freeForOnDemand(calendar, at, LIFETIME_DAYS);

/** The nodes as they are: what other pods reserve there counts as held. */
const withNodes = (nodes: readonly NodeRow[], capacities: readonly NodeCapacity[], pod: BoundToNode): NodeRow[] =>
  nodes.map((row) => {
    const capacity = capacities.find(({ node }) => node === row.node);
    if (!capacity) return row;
    const { otherMemoryMib } = capacity;
    const hasDisk = capacity.disksFree === null || capacity.disksFree > 0;
    const isOpen = capacity.isFresh && hasDisk && isAllowedOn(pod, capacity.nodeId);
    return {
      ...row,
      isCordoned: row.isCordoned || !isOpen,
      heldMemoryMib: row.heldMemoryMib + otherMemoryMib,
    };
  });

/** The nodes of a pool. One that was never used has none stored: they are written when the first pod is placed. */
export async function nodesNow(tx: Prisma.TransactionClient, pool: string): Promise<NodeRow[]> {
  const stored = await changedNodes(tx, { pool, since: 0n, names: [] });
  return stored.length > 0 ? stored : idleNodes(pool);
}

const idleNodes = (pool: string): NodeRow[] =>
  nodesOfPool(pool).map(({ name: node, ...spec }) => ({
    node,
    ...spec,
    version: 0n,
    isCordoned: false,
    isUpgrading: false,
    model: modelOfPool(pool),
    heldDevices: [],
    heldCpuMilli: 0,
    heldMemoryMib: 0,
  }));

async function quotaLeft(
  tx: Prisma.TransactionClient,
  pod: PodToPlace,
  { gpu, region, now }: { gpu: GpuModel; region: Region; now: Date },
): Promise<number> {
  const { tenantId, reservationId } = pod;
  if (reservationId !== null) return reservationLeft(tx, reservationId);
  if (pod.spot) return Number.POSITIVE_INFINITY;
  const { resource, defaultLimit, used } = gpuQuota(gpu, region);
  const set = await tx.quota.findUnique({ where: { tenantId_resource: { tenantId, resource } } });
  return Math.max(0, (set ? Number(set.limit) : defaultLimit) - (await used(tx, { tenantId, now })));
}

/** The GPUs of a reservation that none of its pods has or waits for. */
async function reservationLeft(tx: Prisma.TransactionClient, id: string): Promise<number> {
  const reservation = await tx.reservation.findUniqueOrThrow({ where: { id } });
  if (reservation.status !== "active") return 0;
  return Math.max(0, reservation.count - (await usedGpus(tx, reservation)));
}
