import type { GpuRequest, NodeSpec } from "../../server/cloud/compute/scheduler/gpu-request";
import { PoolScheduler } from "../../server/cloud/compute/scheduler/pool-scheduler";
import { capacityMilli, inflated, milliOf, type Trace } from "./openb-trace";
import { seededRandom, shuffled } from "./seeded-random";

const TIMES_NODES = 8.25;
const SEED = 42;
/** A look at every node of a large pool takes milliseconds, so only some decisions are compared with one. */
const RESCAN_EVERY = 200;

/** Time of a decision on 8.25 times the nodes, and whether a look at every node chooses the same. */
export function measureDecisions({ nodes, pods }: Trace, print: (line: string) => void): void {
  const random = seededRandom(SEED);
  const count = Math.round(nodes.length * TIMES_NODES);
  const many = shuffled(
    Array.from({ length: count }, (_, i) => nodes[i % nodes.length] as NodeSpec),
    random,
  );
  const arrivals = inflated({ nodes: many, pods }, 1.3, random);
  const { times, cpuSeconds, usedMilli } = timed(many, arrivals);
  const micros = (at: number) => ((times[Math.floor((times.length - 1) * at)] as number) * 1000).toFixed(0);
  const meanMicros = (1e6 * cpuSeconds) / arrivals.length;
  const allocated = ((100 * usedMilli) / capacityMilli(many)).toFixed(2);
  print(`Decisions on ${count} nodes: ${arrivals.length} arrivals in ${cpuSeconds.toFixed(1)} s of CPU time,`);
  print(
    `mean ${meanMicros.toFixed(1)} µs of CPU time, p50 ${micros(0.5)}, p99 ${micros(0.99)}, longest ${micros(1)} µs;`,
  );
  print(`${allocated} % allocated`);
  const small = inflated({ nodes, pods }, 1.3, random);
  print(`same as a look at every node: ${sameAsRescan(nodes, small, 1)}, each decision on ${nodes.length} nodes;`);
  print(`${sameAsRescan(many, arrivals, RESCAN_EVERY)}, every ${RESCAN_EVERY}th decision on ${count}`);
}

function timed(nodes: readonly NodeSpec[], arrivals: readonly GpuRequest[]) {
  const scheduler = schedulerOn(nodes);
  const times = new Float64Array(arrivals.length);
  const usedFrom = process.cpuUsage();
  let usedMilli = 0;
  for (const [i, pod] of arrivals.entries()) {
    const started = performance.now();
    const placed = scheduler.place(pod);
    times[i] = performance.now() - started;
    if (placed) usedMilli += milliOf(pod);
  }
  const used = process.cpuUsage(usedFrom);
  return { times: times.sort(), cpuSeconds: (used.user + used.system) / 1e6, usedMilli };
}

function sameAsRescan(nodes: readonly NodeSpec[], arrivals: readonly GpuRequest[], every: number): string {
  const [cached, rescanned] = [schedulerOn(nodes), schedulerOn(nodes)];
  let same = 0;
  for (const [i, pod] of arrivals.entries()) {
    if (i % every === 0) rescanned.forgetScores();
    const [a, b] = [cached.place(pod), rescanned.place(pod)];
    if (a?.node === b?.node && String(a?.devices) === String(b?.devices)) same++;
  }
  return `${same} of ${arrivals.length} placements`;
}

function schedulerOn(nodes: readonly NodeSpec[]): PoolScheduler {
  const scheduler = new PoolScheduler();
  for (const node of nodes) scheduler.addNode(node);
  return scheduler;
}
