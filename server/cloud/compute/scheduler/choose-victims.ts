/** A run that can be ended, or that is ending, on a node. */
export interface EndableRun {
  runId: string;
  devices: readonly number[];
  cpuMilli: number;
  memoryMib: number;
  /** Seconds of work that its end loses: since its last checkpoint, or else its start. */
  lostSeconds: number;
  /** It ends in any case, so that waiting for it costs nothing. */
  isEnding: boolean;
  /** The gang that ends with it, itself included, with all GPUs and GPUs × seconds of its runs on all nodes. */
  gang?: { name: string; gpus: number; lostGpuSeconds: number };
}

/** A node that accepts pods: what is free on it, and the runs that may be ended. */
export interface VictimNode {
  node: string;
  freeDevices: readonly number[];
  freeCpuMilli: number;
  freeMemoryMib: number;
  runs: readonly EndableRun[];
}

export interface Needed {
  gpus: number;
  cpuMilli: number;
  memoryMib: number;
}

export interface Victims {
  node: string;
  /** What the request gets when the runs have ended. */
  devices: number[];
  /** The runs that have to end. Those that are ending are not among them. */
  runIds: string[];
  lostGpuSeconds: number;
}

/**
 * Chooses a node and the runs on it that have to end so that a request fits; undefined if none fits even then. Every set
 * of runs of every node is compared, and a set of which one could stay is none. The least GPUs beyond those of the
 * request are ended, among equals with the least lost work (GPUs × seconds), then with the fewest GPUs, then of the
 * first node. A run of a gang counts with its whole gang. A node has at most 16 runs with GPUs.
 */
export function chooseVictims(nodes: readonly VictimNode[], needed: Needed): Victims | undefined {
  let best: Choice | undefined;
  for (const node of nodes) {
    for (let set = 0; set < 2 ** node.runs.length; set++) {
      const choice = choiceOf(node, set, needed);
      if (choice && (!best || isBetter(choice, best)) && isIrreducible(choice, set, needed)) best = choice;
    }
  }
  return best && victimsOf(best, needed);
}

interface Choice {
  node: VictimNode;
  chosen: EndableRun[];
  excessGpus: number;
  lostGpuSeconds: number;
  endedGpus: number;
}

/** The runs whose bits are set, if the request fits when they have ended. */
function choiceOf(node: VictimNode, set: number, needed: Needed): Choice | undefined {
  const chosen = node.runs.filter((_, i) => (set >> i) & 1);
  const sum = (of: (run: EndableRun) => number) => chosen.reduce((total, run) => total + of(run), 0);
  const fits =
    node.freeDevices.length + sum(gpusOf) >= needed.gpus &&
    node.freeCpuMilli + sum((run) => run.cpuMilli) >= needed.cpuMilli &&
    node.freeMemoryMib + sum((run) => run.memoryMib) >= needed.memoryMib;
  if (!fits) return undefined;
  const { endedGpus, lostGpuSeconds } = lossOf(chosen.filter((run) => !run.isEnding));
  return { node, chosen, endedGpus, lostGpuSeconds, excessGpus: Math.max(0, endedGpus - needed.gpus) };
}

/** What the end of runs, and of each of their gangs once, takes. */
function lossOf(ended: readonly EndableRun[]): Pick<Choice, "endedGpus" | "lostGpuSeconds"> {
  const loss = { endedGpus: 0, lostGpuSeconds: 0 };
  for (const [i, { gang, devices, lostSeconds }] of ended.entries()) {
    const isCounted = gang && ended.findIndex((one) => one.gang?.name === gang.name) < i;
    if (isCounted) continue;
    loss.endedGpus += gang?.gpus ?? devices.length;
    loss.lostGpuSeconds += gang?.lostGpuSeconds ?? devices.length * lostSeconds;
  }
  return loss;
}

const gpusOf = ({ devices }: EndableRun): number => devices.length;

function isBetter(a: Choice, b: Choice): boolean {
  const order = a.excessGpus - b.excessGpus || a.lostGpuSeconds - b.lostGpuSeconds || a.endedGpus - b.endedGpus;
  return order < 0;
}

/** Whether the request does not fit if one of the runs stays. */
const isIrreducible = ({ node }: Choice, set: number, needed: Needed): boolean =>
  node.runs.every((_, i) => ((set >> i) & 1) === 0 || !choiceOf(node, set - 2 ** i, needed));

function victimsOf({ node, chosen, lostGpuSeconds }: Choice, needed: Needed): Victims {
  const freed = chosen.flatMap(({ devices }) => devices);
  const devices = [...node.freeDevices, ...freed].slice(0, needed.gpus).sort((a, b) => a - b);
  const runIds = chosen.filter(({ isEnding }) => !isEnding).map(({ runId }) => runId);
  return { node: node.node, devices, runIds, lostGpuSeconds };
}
