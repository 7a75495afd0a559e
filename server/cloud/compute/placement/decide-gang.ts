import { type NodeCapacity, nodeCapacities } from "../gpu-nodes/gpu-nodes.sql";
import { runIdOf } from "../pod-records/stored-pod";
import type { Kept } from "../pools/cached-pool";
import { isLivePool, poolOf } from "../pools/fleet";
import { endNomination, type Nomination } from "../pools/nominations.sql";
import type { LockedPool } from "../pools/pools";
import { hasRoomInCalendar, usableDevices } from "../reserved-gpus/usable-devices";
import { boundWait } from "./bound-to-node";
import type { Capacity, Decision } from "./capacity";
import { type Blocked, chooseNode, POD_DISK_MB } from "./choose-node";
import { freeOn, keptOfAll, reservedOf } from "./decide-place";
import { eligibleNodes } from "./eligible-nodes";
import { gangDisk } from "./gang-disk";
import { keptForGang } from "./kept-for-gang";
import { needsOneRack } from "./one-rack";
import { NOTHING_USED, usedRooms } from "./pod-nodes.sql";
import { type PodToPlace, requestOf } from "./pod-to-place";
import { volumeNeeds } from "./volume-needs";

interface Waiting {
  /** One of those that wait; they are equal in what they need. */
  first: PodToPlace;
  waiting: readonly PodToPlace[];
  /** How many pods of the gang wait or run. */
  present: number;
  /** How many of those have notice, and wait again soon. */
  ending: number;
  now: Date;
}

/**
 * Decides where all pods of a gang that wait are placed, or why they do not fit together now. Writes nothing but the end
 * of what was kept for their runs, and what `makeGangRoom` writes.
 */
export async function decideGang(
  capacity: Capacity,
  gang: Waiting,
): Promise<{ placed: { pod: PodToPlace; decision: Decision }[] } | Blocked> {
  const { first, waiting, present, ending } = gang;
  if (present < (first.gangSize ?? 0)) return incomplete(first, present);
  if (ending > 0) return hasNotice(first, ending);
  const locked = await capacity.readPool(poolOf(first.region ?? "", first.gpu ?? "", first.mode));
  const { pool } = locked;
  // The pool before the nodes, as for single pods: the two cannot wait for each other.
  const isLive = isLivePool(pool);
  const nodeIds = isLive ? [] : await decideNodes(capacity, waiting);
  if ("code" in nodeIds) return nodeIds;
  // Before their memory is read, which other pods cannot get then.
  const away = isLive ? boundWait(first, eligibleNodes(await capacity.readNodes(first.tenantId), first)) : undefined;
  if (away) return away;
  const capacities = await nodeCapacities(capacity.tx, pool);
  const placed = await placesFor(capacity, gang, { locked, capacities });
  if ("code" in placed) return placed;
  const noDisk = gangDisk(capacities, placed);
  if (noDisk) return noDisk;
  const assigned = waiting.map((pod, i) => {
    const one = placed[i] as (typeof placed)[number];
    const found = capacities.find(({ node }) => node === one.node);
    const nodeId = found?.nodeId ?? (nodeIds[i] as string);
    return { pod, decision: { nodeId, gpus: { pool, version: locked.version, ...one } } };
  });
  return { placed: assigned };
}

type Place = Pick<Nomination, "node"> & { devices: readonly number[] };

/** Nodes and devices for each pod of a gang that waits, or what it waits for. */
async function placesFor(
  capacity: Capacity,
  { first, waiting, now }: Waiting,
  { locked, capacities }: { locked: LockedPool; capacities: readonly NodeCapacity[] },
): Promise<Place[] | Blocked> {
  const { tx } = capacity;
  const { pool, cache } = locked;
  const all = { ...first, gpuCount: first.gpuCount * waiting.length };
  const others = await keptForGang(tx, { ...locked, freeOn: freeOn(cache) }, { pod: first, now });
  const state = { pool, nodes: cache.sizes(), now, keptGpus: others.gpus };
  const usable = await usableDevices(tx, all, state);
  const lost = [...reservedOf(usable.unusable), ...keptOfAll(capacities, first)];
  const own = ownOf(locked, waiting);
  const claimed = usable.blocked === undefined ? claimAll({ own, waiting, cache, lost }) : undefined;
  if (claimed) return claimed;
  // An estimate writes nothing.
  if (capacity.makeGangRoom) for (const { runId } of own) await endNomination(tx, runId);
  const kept = [...locked.nominations.filter((one) => !own.includes(one)), ...lost, ...others.kept];
  const isSingle = needsOneRack(first, { pool, gpus: all.gpuCount });
  const placed =
    usable.blocked === undefined
      ? cache.placeGang(requestOf(first), { members: waiting.length, isSingle, kept })
      : { blocked: `The gang needs ${all.gpuCount} GPUs at once. ${usable.blocked}` };
  if (!("blocked" in placed)) return placed;
  const why: Blocked = { code: "no_gpus", message: placed.blocked };
  const isLimited = usable.blocked !== undefined;
  const couldStart = async () => first.spot || (await hasRoomInCalendar(tx, all, state));
  // What a reservation has lent is reclaimed with it, and nothing else can take what it has.
  if (first.reservationId !== null) return why;
  return (await capacity.makeGangRoom?.({ ...locked, kept, isSingle, why, isLimited, couldStart })) ?? why;
}

/** What is kept for the runs of a gang one by one. */
const ownOf = ({ nominations }: LockedPool, waiting: readonly PodToPlace[]): Nomination[] =>
  nominations.filter(({ runId }) => waiting.some(({ id, runNumber }) => runIdOf(id, runNumber) === runId));

interface Claim {
  own: readonly Nomination[];
  waiting: readonly PodToPlace[];
  cache: LockedPool["cache"];
  /** What the gang may not have. */
  lost: readonly Kept[];
}

/**
 * What is kept for the runs of a gang, or that they wait for it; undefined if it is not kept for all of them, or one of
 * the nodes no longer accepts pods.
 */
function claimAll({ own, waiting, cache, lost }: Claim): Place[] | Blocked | undefined {
  const places = waiting.flatMap(
    ({ id, runNumber }) => own.find(({ runId }) => runId === runIdOf(id, runNumber)) ?? [],
  );
  const [first] = waiting;
  const isKept = (one: Nomination) =>
    cache.roomOn(one.node) !== undefined &&
    !lost.some(({ node, devices }) => node === one.node && devices.some((device) => one.devices.includes(device)));
  if (!first || places.length < waiting.length || !places.every(isKept)) return undefined;
  if (
    places.every(({ node }) =>
      isFreeOn(
        cache,
        places.filter((one) => one.node === node),
      ),
    )
  )
    return places;
  return { code: "reclaiming_spot", message: first.reasonText ?? "It gets GPUs of pods that end." };
}

/** Whether what is kept on one node is free by now. */
function isFreeOn(cache: LockedPool["cache"], places: readonly Nomination[]): boolean {
  const room = cache.roomOn(places[0]?.node ?? "");
  const sum = (of: "cpuMilli" | "memoryMib") => places.reduce((total, one) => total + one[of], 0);
  return (
    room !== undefined &&
    places.every(({ devices }) => devices.every((device) => room.freeDevices.includes(device))) &&
    room.freeCpuMilli >= sum("cpuMilli") &&
    room.freeMemoryMib >= sum("memoryMib")
  );
}

/** A pod of a gang waits until the gang is complete. */
const incomplete = ({ gangName, gangSize }: PodToPlace, present: number): Blocked => ({
  code: "gang_incomplete",
  message: `${present} of the ${gangSize} pods of the gang ${gangName} wait or run; they are placed together.`,
});

/** A gang that was given notice is placed again as a whole. */
const hasNotice = ({ gangName, gangSize }: PodToPlace, ending: number): Blocked => ({
  code: "gang_incomplete",
  message: `${ending} of the ${gangSize} pods of the gang ${gangName} are ending after a notice; the others are placed when they have ended.`,
});

/** A node for each of the pods, or why there is none. */
async function decideNodes({ tx, readNodes }: Capacity, pods: readonly PodToPlace[]): Promise<string[] | Blocked> {
  // Pods of a gang are of one tenant.
  const candidates = await readNodes(pods[0]?.tenantId ?? "");
  const used = await usedRooms(tx);
  const chosen: { id: string; volumeGb: number }[] = [];
  for (const pod of pods) {
    const able = eligibleNodes(candidates, pod);
    const volume = boundWait(pod, able) ?? (await volumeNeeds(tx, pod, able));
    const chosenGb = (id: string) => chosen.reduce((sum, one) => sum + (one.id === id ? one.volumeGb : 0), 0);
    const rooms = able.map((node) => ({ ...node, ...(used.get(node.id) ?? NOTHING_USED) }));
    const one =
      "code" in volume
        ? volume
        : chooseNode(
            rooms.map((room) => ({ ...room, usedVolumesGb: (volume.usedGb.get(room.id) ?? 0) + chosenGb(room.id) })),
            { ...pod, homeId: volume.homeId },
          );
    if ("code" in one) return { ...one, message: `${one.message} The ${pods.length} pods are placed together.` };
    const { usedMb, usedDiskMb } = used.get(one.nodeId) ?? NOTHING_USED;
    used.set(one.nodeId, { usedMb: usedMb + pod.memoryMb, usedDiskMb: usedDiskMb + POD_DISK_MB });
    chosen.push({ id: one.nodeId, volumeGb: pod.volumeGb ?? 0 });
  }
  return chosen.map(({ id }) => id);
}
