import type { FreeNode } from "./free-nodes";

const SECOND_MS = 1000;
/** With fewer there is no estimate. */
const SAMPLES_MIN = 3;

/** What becomes free on a node at a time. */
export interface Ending extends FreeNode {
  at: Date;
  /** true: it ends soon, after a notice or a stop; false: at the end of a lifetime or of a reservation. */
  isEnding: boolean;
  /** It is a spot pod, which may be given notice for an on-demand pod. */
  isReclaimable?: boolean;
}

export interface WaitInput {
  now: Date;
  needed: { gpus: number; cpuMilli: number; memoryMib: number };
  /** What the pod can have of each node now, and what becomes free. */
  free: readonly FreeNode[];
  endings: readonly Ending[];
  /** false: others are before it, so that what becomes free need not be its own. */
  isNext: boolean;
  /** false: reservations keep GPUs from it then. */
  isAllowedAt: (at: Date) => boolean;
  waitedSeconds: number;
  /** From 1. */
  position: number;
  /** How long runs of the same pool waited until they were placed, in seconds; those that did not wait are no samples. */
  waits: readonly number[];
  /** When runs ended that were as large, in any order. */
  ends: readonly Date[];
}

export interface ExpectedWait {
  seconds: number;
  basis: string;
  /** Of how many it is the median; 0: it is known, not estimated. */
  samples: number;
}

/**
 * How long a pod still waits. Pods that are ending come first; otherwise the median of the past, but not more than until
 * enough pods and reservations reach their end. null: nothing is known, and there are fewer than 3 samples.
 */
export function expectedWait(facts: WaitInput): ExpectedWait | null {
  const ending = known(facts, { isSoon: true });
  if (ending) return ending;
  const [estimated, latest] = [ofWaits(facts) ?? ofEnds(facts), known(facts, { isSoon: false })];
  if (!estimated || !latest) return estimated ?? latest ?? null;
  return latest.seconds < estimated.seconds ? latest : estimated;
}

/** When what is free and what becomes free first suffices on one node. */
function known(facts: WaitInput, { isSoon }: { isSoon: boolean }): ExpectedWait | undefined {
  if (!facts.isNext) return undefined;
  const endings = facts.endings.filter(({ isEnding }) => isEnding || !isSoon);
  const at = firstFit(
    facts,
    endings.toSorted((a, b) => a.at.getTime() - b.at.getTime()),
  );
  if (!at) return undefined;
  const seconds = Math.max(1, Math.ceil((at.getTime() - facts.now.getTime()) / SECOND_MS));
  const basis = isSoon
    ? "Pods that are ending free enough for it by then."
    : "Pods and reservations that reach their end free enough for it by then at the latest.";
  return { seconds, basis, samples: 0 };
}

function firstFit({ free, needed, isAllowedAt }: WaitInput, endings: readonly Ending[]): Date | undefined {
  const nodes = new Map(free.map((one) => [one.node, { ...one, devices: new Set(one.devices) }]));
  for (const { node, devices, cpuMilli, memoryMib, at } of endings) {
    const on = nodes.get(node);
    // A node that accepts no pods.
    if (!on) continue;
    for (const device of devices) on.devices.add(device);
    on.cpuMilli += cpuMilli;
    on.memoryMib += memoryMib;
    const hasGpus = on.devices.size >= needed.gpus && isAllowedAt(at);
    if (hasGpus && on.cpuMilli >= needed.cpuMilli && on.memoryMib >= needed.memoryMib) return at;
  }
  return undefined;
}

/** Of the runs that waited at least as long as this one has, the median of what was left of their wait. */
function ofWaits({ waits, waitedSeconds }: WaitInput): ExpectedWait | undefined {
  const left = waits.filter((wait) => wait > waitedSeconds).map((wait) => wait - waitedSeconds);
  if (left.length < SAMPLES_MIN) return undefined;
  const basis =
    "The median of how much longer runs of this pool waited in the last 7 days that had waited as long as this one.";
  return { seconds: Math.max(1, Math.ceil(median(left))), basis, samples: left.length };
}

function ofEnds({ ends, position }: WaitInput): ExpectedWait | undefined {
  const times = ends.map((end) => end.getTime()).sort((a, b) => a - b);
  const gaps = times.slice(1).map((time, i) => time - (times[i] ?? time));
  if (gaps.length < SAMPLES_MIN) return undefined;
  const basis =
    "The median time between the ends of runs that were at least as large, in this pool in the last 7 days, times its position.";
  return {
    seconds: Math.max(1, Math.ceil((position * median(gaps)) / SECOND_MS)),
    basis,
    samples: gaps.length,
  };
}

/** Of at least one number. */
function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  const upper = sorted[half] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? upper) + upper) / 2;
}
