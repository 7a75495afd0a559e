import type { Allocation, GpuRequest, NodeSpec } from "../../server/cloud/compute/scheduler/gpu-request";
import { capacityMilli, inflated, milliOf, type Trace } from "./openb-trace";
import { seededRandom, shuffled } from "./seeded-random";

/** A scheduler under test, on nodes of its own. */
export interface Placer {
  place(request: GpuRequest): Allocation | undefined;
  release(allocation: Allocation): void;
}

export interface Policy {
  name: string;
  /** `pods` is the list, for policies that know the whole of it. */
  start(trace: Trace, random: () => number): Placer;
}

export interface Replay {
  /** Allocated % of the GPUs, at 0 to 130 % arrived. */
  allocation: Float64Array;
  /** Rejected pods by GPUs requested; 0.x for shares of a device. */
  rejected: Map<number, number>;
}

/** One run without departures, as in Weng et al.: pods that do not fit are dropped. */
export function replay(policy: Policy, trace: Trace, seed: number): Replay {
  const random = seededRandom(seed);
  const arrivals = inflated(trace, 1.3, random);
  const nodes = shuffled(trace.nodes, random);
  const placer = policy.start({ nodes, pods: trace.pods }, random);
  const curve = new Curve(nodes);
  const rejected = new Map<number, number>();
  for (const pod of arrivals) {
    const placed = placer.place(pod);
    if (!placed) rejected.set(sizeOf(pod), (rejected.get(sizeOf(pod)) ?? 0) + 1);
    curve.add(milliOf(pod), placed !== undefined);
  }
  return { allocation: curve.means(), rejected };
}

export const sizeOf = (pod: GpuRequest): number => (pod.gpus === 1 && pod.gpuMilli < 1000 ? 0.5 : pod.gpus);

class Curve {
  readonly #capacity: number;
  readonly #sums = new Float64Array(140);
  readonly #counts = new Float64Array(140);
  #arrived = 0;
  #used = 0;

  constructor(nodes: readonly NodeSpec[]) {
    this.#capacity = capacityMilli(nodes);
  }

  add(milli: number, isPlaced: boolean): void {
    this.#arrived += milli;
    if (isPlaced) this.#used += milli;
    const at = Math.round((100 * this.#arrived) / this.#capacity);
    this.#sums[at] = (this.#sums[at] as number) + (100 * this.#used) / this.#capacity;
    this.#counts[at] = (this.#counts[at] as number) + 1;
  }

  means(): Float64Array {
    return this.#sums.map((sum, at) => {
      const count = this.#counts[at] as number;
      if (count > 0) return sum / count;
      const near = [at - 1, at + 1].filter((n) => (this.#counts[n] ?? 0) > 0);
      return (
        near.reduce((total, n) => total + (this.#sums[n] as number), 0) /
        near.reduce((total, n) => total + (this.#counts[n] as number), 0)
      );
    });
  }
}
