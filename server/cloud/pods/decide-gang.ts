import { machinesOfPool } from "../gpu-machines/gpu-machines.sql";
import { FLEET, type GpuModel, isLivePool, poolOf } from "../gpu-pools/fleet";
import { usableDevices } from "../reserved-gpus/usable-devices";
import { type Blocked, chooseRunner } from "./choose-runner";
import {
  type Capacity,
  type Decision,
  keptOf,
  type PodToPlace,
  requestOf,
  reservedOf,
  withPorts,
} from "./decide-place";
import { usedMemory } from "./pods.sql";

interface Waiting {
  /** One of those that wait; they are equal in what they need. */
  first: PodToPlace;
  waiting: readonly PodToPlace[];
  /** How many pods of the gang wait or run. */
  present: number;
  now: Date;
}

/** Decides where all pods of a gang that wait are placed, or why they do not fit together now. Writes nothing. */
export async function decideGang(
  capacity: Capacity,
  gang: Waiting,
): Promise<{ placed: { pod: PodToPlace; decision: Decision }[] } | Blocked> {
  const { first, waiting, present, now } = gang;
  if (present < (first.gangSize ?? 0)) return incomplete(first, present);
  const { pool, version, cache, nominations } = await capacity.readPool(
    poolOf(first.region ?? "", first.gpu ?? "", first.mode),
  );
  // The pool before the machines, as for single pods: the two cannot wait for each other.
  const isLive = isLivePool(pool);
  const runnerIds = isLive ? [] : await decideRunners(capacity, waiting);
  if ("code" in runnerIds) return runnerIds;
  // Before their memory is read, which other pods cannot get then.
  if (isLive) await capacity.readRunners();
  const machines = await machinesOfPool(capacity.tx, pool);
  const all = { ...first, gpuCount: first.gpuCount * waiting.length };
  const usable = await usableDevices(capacity.tx, all, { pool, nodes: cache.sizes(), now });
  if ("blocked" in usable) {
    return { code: "no_gpus", message: `The gang needs ${all.gpuCount} GPUs at once. ${usable.blocked}` };
  }
  const kept = [...nominations, ...reservedOf(usable.unusable), ...machines.map(keptOf)];
  const size = {
    members: waiting.length,
    // Machines do not say which of them share an NVLink domain.
    isSingle: !isLive && fitsOneRack(first.gpu as GpuModel, all.gpuCount),
  };
  const placed = cache.placeGang(requestOf(first), { ...size, kept });
  if ("blocked" in placed) return { code: "no_gpus", message: placed.blocked };
  const assigned = waiting.map((pod, i) => {
    const one = placed[i] as (typeof placed)[number];
    const machine = machines.find(({ node }) => node === one.node);
    const runnerId = machine?.runnerId ?? (runnerIds[i] as string);
    return { pod, decision: { runnerId, gpus: { pool, version, ...one } } };
  });
  return { placed: assigned };
}

/** A pod of a gang waits until the gang is complete. */
const incomplete = ({ gangName, gangSize }: PodToPlace, present: number): Blocked => ({
  code: "gang_incomplete",
  message: `${present} of the ${gangSize} pods of the gang ${gangName} wait or run; they are placed together.`,
});

/** A machine for each of the pods, or why there is none. */
async function decideRunners({ tx, readRunners }: Capacity, pods: readonly PodToPlace[]): Promise<string[] | Blocked> {
  const runners = await readRunners();
  const used = await usedMemory(tx);
  const chosen: string[] = [];
  for (const { memoryMb, ports } of pods) {
    const one = chooseRunner(
      withPorts(runners, ports).map((runner) => ({ ...runner, usedMb: used.get(runner.id) ?? 0 })),
      memoryMb,
    );
    if ("code" in one) return { ...one, message: `${one.message} The ${pods.length} pods are placed together.` };
    used.set(one.runnerId, (used.get(one.runnerId) ?? 0) + memoryMb);
    chosen.push(one.runnerId);
  }
  return chosen;
}

/** Pods that a rack with one NVLink domain could hold wait for one that does. */
function fitsOneRack(model: GpuModel, gpus: number): boolean {
  const { nodesPerRack, gpusPerNode } = FLEET[model];
  return nodesPerRack !== undefined && gpus <= nodesPerRack * gpusPerNode;
}
