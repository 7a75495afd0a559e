import type { Prisma } from "../../../engines/postgres/generated/client";
import type { Kept } from "../pools/cached-pool";
import { type GangKeep, isOfGang } from "../pools/gang-keeps.sql";
import type { Nomination } from "../pools/nominations.sql";
import { TURNAROUND_MS } from "../reserved-gpus/free-for-on-demand";
import { isUsableBy, reservedDevices } from "../reserved-gpus/reserved-devices";
import { type EndableRunRow, endableRuns } from "./endable-runs.sql";
import type { PodToPlace } from "./pod-to-place";

const MILLI_PER_CORE = 1000;

/** A pool as far as it tells what is kept. */
export interface KeepingPool {
  pool: string;
  keep: GangKeep | undefined;
  nominations: readonly Nomination[];
  /** The free devices of a node; undefined if it accepts no pods. */
  freeOn: (node: string) => readonly number[] | undefined;
}

/** What a pod may not have, because a gang waits for it. */
export interface KeptForGang {
  kept: Kept[];
  /** All GPUs of the gang's nodes that are its own by now, and how many of them are free. */
  gpus: number;
  freeGpus: number;
}

/**
 * Pods seldom last until the end of their lifetime, so that a gang mostly starts long before `startsBy`: a pod that fills a
 * gap delays it by no more than this.
 */
const FILL_MS = 3600 * 1000;

const NOTHING: KeptForGang = { kept: [], gpus: 0, freeGpus: 0 };

/**
 * What a pod has to leave to the gang for which GPUs of the pool are kept: on each of its nodes as many GPUs as the gang
 * needs there, those first that it may take from spot pods. What it has grows only, so that it starts when enough pods of
 * these nodes have ended.
 */
export async function keptForGang(
  tx: Prisma.TransactionClient,
  state: KeepingPool,
  { pod, now }: { pod: PodToPlace; now: Date },
): Promise<KeptForGang> {
  const { pool, keep } = state;
  if (!keep || !mustLeave(keep, pod, now)) return NOTHING;
  const runs = endableBy(keep, await endableRuns(tx, pool, now));
  const reserved = await reservedDevices(tx, pool);
  const isUsable = (node: string, device: number) =>
    isUsableBy(reserved.get(node)?.get(device), { spot: keep.spot, reservationId: null });
  const sum: KeptForGang = { ...NOTHING, kept: [] };
  for (const place of keep.places) {
    const one = keptOn(place, { ...state, keep, runs: runs.filter(({ node }) => node === place.node), isUsable });
    if (!one) continue;
    sum.kept.push(one.kept);
    sum.gpus += one.gpus;
    sum.freeGpus += one.freeGpus;
  }
  return sum;
}

/** The runs for which a gang need not wait: those that are ending and, unless it is spot itself, those of spot pods. */
export const endableBy = ({ spot }: { spot: boolean }, runs: readonly EndableRunRow[]): EndableRunRow[] =>
  runs.filter(({ isEnding }) => isEnding || !spot);

/**
 * On-demand pods leave nothing to a spot gang, and spot pods nothing to an on-demand gang, which takes it back. Pods of
 * reservations have devices of their own, and a pod that ends soon, before those that the gang waits for, fills the gap.
 */
function mustLeave(keep: GangKeep, pod: PodToPlace, now: Date): boolean {
  if (isOfGang(keep, pod) || pod.reservationId !== null || pod.spot !== keep.spot) return false;
  const endsBy = pod.expiresAt.getTime() + TURNAROUND_MS;
  return endsBy > keep.startsBy.getTime() || endsBy > now.getTime() + FILL_MS;
}

interface OnNode extends KeepingPool {
  keep: GangKeep;
  runs: readonly EndableRunRow[];
  isUsable: (node: string, device: number) => boolean;
}

function keptOn(
  { node, members }: GangKeep["places"][number],
  { keep, nominations, freeOn, runs, isUsable }: OnNode,
): { kept: Kept; gpus: number; freeGpus: number } | undefined {
  const free = freeOn(node);
  if (!free) return undefined;
  const nominated = nominations.filter((one) => one.node === node);
  const own = nominated.filter(({ runId }) => keep.runIds.includes(runId));
  const taken = new Set(nominated.flatMap(({ devices }) => devices));
  const usable = [...runs.flatMap(({ devices }) => devices), ...free].filter(
    (device) => isUsable(node, device) && !taken.has(device),
  );
  const ownCount = own.reduce((count, { devices }) => count + devices.length, 0);
  const devices = usable.slice(0, Math.max(0, members * keep.gpuCount - ownCount));
  // What is kept for its runs one by one has its cores and memory already.
  const missing = members - own.length;
  const freed = (of: "cpuMilli" | "memoryMib") => runs.reduce((total, run) => total + run[of], 0);
  return {
    kept: {
      node,
      devices,
      cpuMilli: Math.max(0, missing * keep.cpu * MILLI_PER_CORE - freed("cpuMilli")),
      memoryMib: Math.max(0, missing * keep.memoryMb - freed("memoryMib")),
    },
    gpus: devices.length + ownCount,
    freeGpus: devices.filter((device) => free.includes(device)).length,
  };
}
