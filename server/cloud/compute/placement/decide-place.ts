import { type NodeCapacity, nodeCapacities } from "../gpu-nodes/gpu-nodes.sql";
import { runIdOf } from "../pod-records/stored-pod";
import type { Kept } from "../pools/cached-pool";
import { poolOf } from "../pools/fleet";
import { endNomination, type Nomination } from "../pools/nominations.sql";
import type { LockedPool } from "../pools/pools";
import { usableDevices } from "../reserved-gpus/usable-devices";
import { type BoundToNode, boundWait, isAllowedOn } from "./bound-to-node";
import type { Capacity, ChosenGpus, Decision } from "./capacity";
import { type Blocked, chooseNode } from "./choose-node";
import { eligibleNodes } from "./eligible-nodes";
import { keptForGang } from "./kept-for-gang";
import { NOTHING_USED, usedRooms } from "./pod-nodes.sql";
import { type PodToPlace, requestOf } from "./pod-to-place";
import { volumeNeeds } from "./volume-needs";

/**
 * Decides where the current run of a pod is placed, or why that is not possible now. Writes nothing but the end of what
 * was kept for the run, and what `makeRoom` writes.
 */
export async function decidePlace(capacity: Capacity, pod: PodToPlace, now: Date): Promise<Decision | Blocked> {
  const gpus = pod.gpu !== null && pod.region !== null ? await decideGpus(capacity, pod, now) : undefined;
  if (gpus && "code" in gpus) return gpus;
  const chosen = await decideNode(capacity, pod, gpus?.nodeIds);
  if ("code" in chosen) return chosen;
  return { ...chosen, ...(gpus && { gpus }) };
}

/** `among` are ids of nodes; undefined: any. */
async function decideNode({ tx, readNodes }: Capacity, pod: PodToPlace, among: readonly string[] | undefined) {
  const all = eligibleNodes(await readNodes(pod.tenantId), pod);
  const away = boundWait(pod, all);
  if (away) return away;
  const candidates = all.filter(({ id }) => among?.includes(id) ?? true);
  const volume = await volumeNeeds(tx, pod, all);
  if ("code" in volume) return volume;
  const used = await usedRooms(tx);
  return chooseNode(
    candidates.map((chosen) => ({
      ...chosen,
      ...(used.get(chosen.id) ?? NOTHING_USED),
      usedVolumesGb: volume.usedGb.get(chosen.id) ?? 0,
    })),
    { ...pod, homeId: volume.homeId },
  );
}

async function decideGpus(capacity: Capacity, pod: PodToPlace, now: Date): Promise<ChosenGpus | Blocked> {
  const { tx, makeRoom } = capacity;
  const locked = await capacity.readPool(poolOf(pod.region ?? "", pod.gpu ?? "", pod.mode));
  const { pool, version, cache, nominations } = locked;
  const capacities = await nodeCapacities(tx, pool);
  const away =
    pod.requiredNodeId === null
      ? undefined
      : boundWait(pod, eligibleNodes(await capacity.readNodes(pod.tenantId), pod));
  if (away) return away;
  const [runId, needed] = [runIdOf(pod.id, pod.runNumber), requestOf(pod)];
  const own = nominations.find((one) => one.runId === runId);
  if (own?.comesBack && !cache.roomOn(own.node))
    return { code: "node_upgrading", message: `It comes back to ${own.node} when that is upgraded.` };
  const gang = await keptForGang(tx, { ...locked, freeOn: freeOn(cache) }, { pod, now });
  const usable = await usableDevices(tx, pod, { pool, nodes: cache.sizes(), now, keptGpus: gang.gpus });
  if (usable.blocked !== undefined) {
    if (own) await endNomination(tx, runId);
    return { code: "no_gpus", message: usable.blocked };
  }
  const withheld = capacities.find(({ node }) => node === own?.node)?.withheld;
  const isLost = own?.devices.some((one) => usable.unusable.get(own.node)?.has(one) || withheld?.includes(one));
  const claimed = own && !isLost && claim(locked, own, pod);
  if (claimed) return "code" in claimed ? claimed : { ...claimed, nodeIds: nodeIdsOf(capacities, claimed.node) };
  if (own) await endNomination(tx, runId);
  const others = nominations.filter((one) => one !== own);
  const kept = [...others, ...reservedOf(usable.unusable), ...keptOfAll(capacities, pod), ...gang.kept];
  const placed = cache.place(needed, { isNew: pod.reasonCode === null, kept });
  if (!("blocked" in placed)) return { pool, version, ...placed, nodeIds: nodeIdsOf(capacities, placed.node) };
  const isBlocked: Blocked = { code: "no_gpus", message: placed.blocked + gangText(gang.freeGpus) };
  // What a reservation has lent is reclaimed with it.
  if (!makeRoom || pod.spot || pod.reservationId !== null) return isBlocked;
  // Nothing is ended for a pod that could not run then.
  const chosen = await decideNode(capacity, pod, nodeIdsOf(capacities));
  if ("code" in chosen) return chosen;
  return (await makeRoom({ pool, cache, kept, runId, needed })) ?? isBlocked;
}

/** Of nodes that accept pods. */
export const freeOn =
  (cache: LockedPool["cache"]) =>
  (node: string): readonly number[] | undefined =>
    cache.roomOn(node)?.freeDevices;

const gangText = (free: number): string =>
  free === 0 ? "" : ` ${free === 1 ? "1 free GPU is" : `${free} free GPUs are`} kept for a gang that waits.`;

/** What a pod may not have of a pool, without cores and memory. */
export const reservedOf = (unusable: ReadonlyMap<string, ReadonlySet<number>>): Kept[] =>
  [...unusable].flatMap(([node, devices]) =>
    devices.size === 0 ? [] : { node, devices: [...devices], cpuMilli: 0, memoryMib: 0 },
  );

/** The id of a node, or of all nodes of a pool; undefined: any, because their GPUs are simulated. */
const nodeIdsOf = (capacities: readonly NodeCapacity[], node?: string): string[] | undefined =>
  capacities.length === 0
    ? undefined
    : capacities.flatMap((one) => (node === undefined || one.node === node ? one.nodeId : []));

/**
 * What a pod may not have of nodes. A node that has no disk for it is left out while another one has; with none,
 * the pod waits for disk.
 */
export function keptOfAll(capacities: readonly NodeCapacity[], pod: BoundToNode): Kept[] {
  const hasDisk = ({ disksFree }: NodeCapacity) => disksFree === null || disksFree > 0;
  const isSomewhere = capacities.some(hasDisk);
  return capacities.map((one) => keptOf({ ...one, isFresh: one.isFresh && (hasDisk(one) || !isSomewhere) }, pod));
}

/**
 * What a pod may not have of a node, because it does not report, withholds it, or runs other pods, or the pod is
 * bound to another one.
 */
function keptOf(one: NodeCapacity, pod: BoundToNode): Kept {
  const { node, isFresh, gpus, withheld, cpuMilli, memoryMib, otherMemoryMib } = one;
  if (isFresh && isAllowedOn(pod, one.nodeId))
    return { node, devices: withheld, cpuMilli: 0, memoryMib: otherMemoryMib };
  return { node, devices: Array.from({ length: gpus }, (_, device) => device), cpuMilli, memoryMib };
}

/**
 * The devices that are kept for a run, or that it waits for them; undefined if their node no longer accepts pods. A run
 * stays with them even if others become free meanwhile: pods have been given notice for it.
 */
function claim(
  { pool, version, cache }: LockedPool,
  own: Nomination,
  pod: PodToPlace,
): ChosenGpus | Blocked | undefined {
  const room = cache.roomOn(own.node);
  if (!room) return undefined;
  const isFree =
    own.devices.every((device) => room.freeDevices.includes(device)) &&
    room.freeCpuMilli >= own.cpuMilli &&
    room.freeMemoryMib >= own.memoryMib;
  if (isFree) return { pool, version, node: own.node, devices: own.devices };
  return { code: "reclaiming_spot", message: pod.reasonText ?? `It gets GPUs of ${own.node}.` };
}
