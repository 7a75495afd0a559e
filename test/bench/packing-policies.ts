import { demandPrices } from "../../server/cloud/compute/scheduler/demand-prices";
import { GPU_MILLI, type GpuRequest } from "../../server/cloud/compute/scheduler/gpu-request";
import { NodePotential, wholeDevices } from "../../server/cloud/compute/scheduler/node-potential";
import type { NodeTable } from "../../server/cloud/compute/scheduler/node-table";
import { isShared, type Shape, ShapeTable } from "../../server/cloud/compute/scheduler/shape-table";
import type { Policy } from "./packing-replay";
import { RulePlacer, type ScoreRule } from "./rule-placer";
import { pick } from "./seeded-random";

/**
 * The policies of Weng et al., "Beware of Fragmentation" (USENIX ATC 2023), scored as in
 * hkust-adsl/kubernetes-scheduler-simulator (Apache-2.0). FGD knows the mix of the whole list.
 */
export const PUBLISHED_POLICIES: readonly Policy[] = [
  published("Random", anyNode),
  published("DotProd", dotProduct),
  published("GpuClustering", clustering),
  published("GpuPacking", packing),
  published("BestFit", bestFit),
  published("FGD", fragmentationDescent),
];

const CPU_MILLI_MAX = 128_000;
const GPUS_MILLI_MAX = 8000;

interface Known {
  pods: readonly GpuRequest[];
  random: () => number;
}

function published(name: string, rule: (table: NodeTable, known: Known) => ScoreRule): Policy {
  return {
    name,
    start: ({ nodes, pods }, random) => new RulePlacer(nodes, (table) => rule(table, { pods, random }), random),
  };
}

function anyNode(table: NodeTable, { random }: Known): ScoreRule {
  return {
    score: () => 0,
    device(node, { gpuMilli }) {
      const devices = Array.from({ length: table.gpus[node] as number }, (_, device) => device);
      return pick(
        devices.filter((device) => table.deviceIdleOf(node, device) >= gpuMilli),
        random,
      );
    },
    isRandom: true,
  };
}

function dotProduct({ cpuFree, idleMilli }: NodeTable): ScoreRule {
  return {
    score(node, { cpuMilli, gpus, gpuMilli }) {
      const cpu = ((cpuFree[node] as number) * cpuMilli) / CPU_MILLI_MAX ** 2;
      const gpu = ((idleMilli[node] as number) * gpus * gpuMilli) / GPUS_MILLI_MAX ** 2;
      return Math.floor(100 * (1 - (cpu + gpu) / 2));
    },
  };
}

function bestFit({ cpuFree, idleMilli }: NodeTable): ScoreRule {
  return {
    score(node, { cpuMilli, gpus, gpuMilli }) {
      const cpu = ((cpuFree[node] as number) - cpuMilli) / CPU_MILLI_MAX;
      const gpu = ((idleMilli[node] as number) - gpus * gpuMilli) / GPUS_MILLI_MAX;
      return Math.floor(100 * (1 - 0.5 * cpu - 0.5 * gpu));
    },
  };
}

/** Prefers nodes that already run requests of the same kind: shares, or as many whole devices. */
function clustering(table: NodeTable): ScoreRule {
  const kinds: Map<string, number>[] = Array.from({ length: table.length }, () => new Map());
  return {
    score(node, shape) {
      if (shape.gpus === 0) return 0;
      const here = kinds[node] as Map<string, number>;
      const isKnown = here.has(kindOf(shape));
      const band = isKnown ? (here.size === 1 ? 75 : 50) : here.size === 0 ? 25 : 0;
      return Math.floor((25 * (GPUS_MILLI_MAX - (table.idleMilli[node] as number))) / GPUS_MILLI_MAX) + band;
    },
    moved(node, shape, sign) {
      if (shape.gpus === 0) return;
      const here = kinds[node] as Map<string, number>;
      const count = (here.get(kindOf(shape)) ?? 0) + sign;
      if (count > 0) here.set(kindOf(shape), count);
      else here.delete(kindOf(shape));
    },
  };
}

const kindOf = (shape: GpuRequest): string => (isShared(shape) ? "share" : `${shape.gpus} devices`);

/** Prefers devices in use, then idle devices of nodes in use, then idle nodes. */
function packing(table: NodeTable): ScoreRule {
  return {
    score(node, shape) {
      if (shape.gpus === 0) return 0;
      const whole = wholeDevices(table, node);
      if (whole === table.gpus[node]) return Math.max(33 - whole, whole);
      const used = isShared(shape) ? tightestUsed(table, node, shape.gpuMilli) : undefined;
      if (used === undefined) return Math.max(50 - shape.gpus, 33);
      return Math.max(100 - Math.floor(Math.floor(used / 10) / 10), 50);
    },
  };
}

function tightestUsed(table: NodeTable, node: number, gpuMilli: number): number | undefined {
  let tightest: number | undefined;
  for (let device = 0; device < (table.gpus[node] as number); device++) {
    const idle = table.deviceIdleOf(node, device);
    if (idle < gpuMilli || idle === GPU_MILLI || (tightest !== undefined && idle >= tightest)) continue;
    tightest = idle;
  }
  return tightest;
}

/** Fragmentation gradient descent: the node and device whose fragmentation, expected over all pods, grows least. */
function fragmentationDescent(table: NodeTable, { pods }: Known): ScoreRule {
  const shapes = new ShapeTable(() => undefined);
  for (const pod of pods) shapes.intern(pod).seen++;
  const potential = new NodePotential(table, demandPrices(shapes.all()), { waste: 0, stranded: 0, blocked: 0 });
  const level = (gain: number) => Math.floor(100 / (1 + Math.exp(-gain)));
  const bestDevice = (node: number, shape: Shape) => {
    let best = { device: -1, score: -1 };
    for (let device = 0; device < (table.gpus[node] as number); device++) {
      if (table.deviceIdleOf(node, device) < shape.gpuMilli) continue;
      const score = level(potential.gainOn(shape, node, device));
      if (score > best.score) best = { device, score };
    }
    return best;
  };
  return {
    score: (node, shape) =>
      isShared(shape) ? bestDevice(node, shape).score : level(potential.gain(shape, node) as number),
    device: (node, shape) => bestDevice(node, shape).device,
  };
}
