import type { Allocation, GpuRequest } from "../../server/cloud/compute/scheduler/gpu-request";
import { Heap } from "../../server/cloud/data/queue-log/heap";
import { capacityMilli, milliOf, type Trace } from "./openb-trace";
import { type Policy, sizeOf } from "./packing-replay";
import { pick, seededRandom, shuffled } from "./seeded-random";

export interface Departures {
  /** Rejected and requested thousandths of GPUs. */
  rejectedMilli: number;
  requestedMilli: number;
  /** Pods by GPUs requested (0.5 for shares): requested and rejected. */
  bySize: Map<number, { requested: number; rejected: number }>;
}

export interface Load {
  /** Requested GPUs as a share of the capacity, if nothing were rejected. */
  load: number;
  arrivals: number;
  seed: number;
}

const MEASURED_FROM = 0.4;

/** Pods arrive at random times, live exponentially long and are dropped if they do not fit; the last 60 % count. */
export function departures(policy: Policy, trace: Trace, { load, arrivals, seed }: Load): Departures {
  const random = seededRandom(seed);
  const nodes = shuffled(trace.nodes, random);
  const placer = policy.start({ nodes, pods: trace.pods }, random);
  const meanMilli = trace.pods.reduce((sum, pod) => sum + milliOf(pod), 0) / trace.pods.length;
  const gap = meanMilli / (load * capacityMilli(nodes));
  const ends = new Heap<Allocation>();
  const result: Departures = { rejectedMilli: 0, requestedMilli: 0, bySize: new Map() };
  let now = 0;
  for (let n = 0; n < arrivals; n++) {
    now -= gap * Math.log(1 - random());
    for (let end = ends.peek(); end && end.key <= now; end = ends.peek())
      placer.release((ends.pop() as typeof end).item);
    const pod = pick(trace.pods, random);
    const life = -Math.log(1 - random());
    const placed = placer.place(pod);
    if (placed) ends.push(now + life, placed);
    if (n >= MEASURED_FROM * arrivals) count(result, pod, placed !== undefined);
  }
  return result;
}

function count(result: Departures, pod: GpuRequest, isPlaced: boolean): void {
  const size = result.bySize.get(sizeOf(pod)) ?? { requested: 0, rejected: 0 };
  result.bySize.set(sizeOf(pod), size);
  size.requested++;
  result.requestedMilli += milliOf(pod);
  if (isPlaced) return;
  size.rejected++;
  result.rejectedMilli += milliOf(pod);
}
