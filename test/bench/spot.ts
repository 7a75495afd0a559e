import {
  chooseVictims,
  type EndableRun,
  type Needed,
  type VictimNode,
} from "../../server/cloud/compute/scheduler/choose-victims";
import { pick, seededRandom, shuffled } from "./seeded-random";

const DECISIONS = 2000;
const NODES = 32;
const GPUS_PER_NODE = 8;
const SIZES = [1, 1, 2, 4, 8];
/** Of the exponential age of a run. */
const MEAN_AGE_S = 4 * 3600;
const SECONDS_PER_HOUR = 3600;

interface Ended {
  gpus: number;
  lostGpuSeconds: number;
}
type Policy = (nodes: readonly VictimNode[], needed: Needed, random: () => number) => Ended;

const POLICIES: Readonly<Record<string, Policy>> = {
  chooseVictims: ours,
  "youngest on one node": (nodes, needed) =>
    leastLost(nodes.flatMap((node) => inOrder(node, byAge(node.runs), needed) ?? [])),
  "youngest of the pool": youngestOfPool,
  "random on a node": (nodes, needed, random) => inRandomOrder(nodes, needed, random),
};

/**
 * GPUs that are ended per GPU that is needed, and lost work, when on-demand pods reclaim GPUs of a pool that is full of
 * spot pods. Every decision is made on its own state, which all policies get.
 */
export async function run(print: (line: string) => void): Promise<void> {
  print(
    `${DECISIONS} decisions on ${NODES} nodes of ${GPUS_PER_NODE} GPUs, full of spot pods of ${SIZES.join(", ")} GPUs`,
  );
  print("policy                 ended / needed   lost GPU-hours per decision");
  for (const [name, policy] of Object.entries(POLICIES)) {
    const random = seededRandom(7);
    let [ended, needed, lost] = [0, 0, 0];
    for (let i = 0; i < DECISIONS; i++) {
      const nodes = Array.from({ length: NODES }, (_, node) => fullNode(`node-${node}`, random));
      const gpus = pick(SIZES, random);
      const result = policy(nodes, { gpus, cpuMilli: 0, memoryMib: 0 }, seededRandom(i));
      ended += result.gpus;
      needed += gpus;
      lost += result.lostGpuSeconds;
    }
    const hours = (lost / DECISIONS / SECONDS_PER_HOUR).toFixed(2);
    print(`${name.padEnd(22)} ${(ended / needed).toFixed(3).padStart(14)} ${hours.padStart(29)}`);
  }
}

function fullNode(node: string, random: () => number): VictimNode {
  const runs: EndableRun[] = [];
  for (let first = 0; first < GPUS_PER_NODE; ) {
    const size = Math.min(pick(SIZES, random), GPUS_PER_NODE - first);
    const devices = Array.from({ length: size }, (_, i) => first + i);
    const lostSeconds = -Math.log(1 - random()) * MEAN_AGE_S;
    runs.push({ runId: `${node}/${first}`, devices, cpuMilli: 0, memoryMib: 0, lostSeconds, isEnding: false });
    first += size;
  }
  return { node, freeDevices: [], freeCpuMilli: 0, freeMemoryMib: 0, runs };
}

function ours(nodes: readonly VictimNode[], needed: Needed): Ended {
  const victims = chooseVictims(nodes, needed);
  const ended = nodes.flatMap(({ runs }) => runs).filter(({ runId }) => victims?.runIds.includes(runId));
  return endedOf(ended);
}

const endedOf = (runs: readonly EndableRun[]): Ended => ({
  gpus: runs.reduce((sum, { devices }) => sum + devices.length, 0),
  lostGpuSeconds: runs.reduce((sum, { devices, lostSeconds }) => sum + devices.length * lostSeconds, 0),
});

const byAge = (runs: readonly EndableRun[]): EndableRun[] => [...runs].sort((a, b) => a.lostSeconds - b.lostSeconds);

/** Ends runs of a node in an order until the request fits. */
function inOrder({ freeDevices }: VictimNode, runs: readonly EndableRun[], { gpus }: Needed): Ended | undefined {
  const chosen: EndableRun[] = [];
  let free = freeDevices.length;
  for (const run of runs) {
    if (free >= gpus) break;
    chosen.push(run);
    free += run.devices.length;
  }
  return free >= gpus ? endedOf(chosen) : undefined;
}

const leastLost = (all: readonly Ended[]): Ended =>
  all.reduce((best, one) => (one.lostGpuSeconds < best.lostGpuSeconds ? one : best));

/** Ends the youngest of all nodes until the request fits on one of them. */
function youngestOfPool(nodes: readonly VictimNode[], needed: Needed): Ended {
  const free = new Map<string, number>();
  const chosen: EndableRun[] = [];
  for (const { node, run } of nodes
    .flatMap(({ node, runs }) => runs.map((run) => ({ node, run })))
    .sort((a, b) => a.run.lostSeconds - b.run.lostSeconds)) {
    chosen.push(run);
    const now = (free.get(node) ?? 0) + run.devices.length;
    if (now >= needed.gpus) break;
    free.set(node, now);
  }
  return endedOf(chosen);
}

function inRandomOrder(nodes: readonly VictimNode[], needed: Needed, random: () => number): Ended {
  const node = pick(nodes, random);
  return inOrder(node, shuffled(node.runs, random), needed) ?? endedOf([]);
}
