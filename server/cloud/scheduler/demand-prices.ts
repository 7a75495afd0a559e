import { idleValues } from "./cutting-stock";
import { GPU_MILLI } from "./gpu-request";
import type { NodeType } from "./node-table";
import { allowsModel, isShared, type Shape } from "./shape-table";

/** What the requests seen so far say about the worth of idle resources. */
export interface DemandPrices {
  /** Devices lost in an idle part of a device, by its thousandths: what no mix of the shares seen can use. */
  waste: Float64Array;
  /** GPUs per thousandth of a core, over the GPU requests seen; 0 if none needs CPU. */
  gpusPerCpuMilli: number;
  /** The sizes of shares and devices that the classes ask for, ascending. */
  thresholds: readonly number[];
  /** The frequent kinds of requests, for the fragmentation of a node. */
  classes: readonly RequestClass[];
}

/** Requests that are alike but for memory. */
export interface RequestClass {
  cpuMilli: number;
  gpus: number;
  /** The index of gpuMilli in `thresholds`. */
  threshold: number;
  models: readonly string[];
  /** The share of the classes' requests. */
  share: number;
  /** The share of the class's requests that did not fit. */
  blockedShare: number;
}

/** Classes are added by falling frequency until they cover this part of the requests (Weng et al., USENIX ATC 2023). */
const COVERED = 0.95;
/** The most shares that are priced; the programme's time grows with the cube. */
const SIZES_MAX = 64;

export function demandPrices(shapes: Iterable<Shape>): DemandPrices {
  const seen = [...shapes];
  const frequent = frequentShapes(seen);
  const total = sum(frequent, ({ seen: count }) => count);
  const thresholds = [...new Set(frequent.map(({ gpuMilli }) => gpuMilli))].sort((a, b) => a - b);
  const classes = frequent.map(({ cpuMilli, gpus, gpuMilli, models, seen: count, blocked }) => ({
    ...{ cpuMilli, gpus, models, threshold: thresholds.indexOf(gpuMilli), share: count / total, blockedShare: blocked / count },
  }));
  return { waste: wasteOf(seen), gpusPerCpuMilli: gpusPerCpuMilli(seen), thresholds, classes };
}

/** The classes that a node of the type can serve, and the share of all others: for them all idle GPUs are fragments. */
export function classesOf({ classes }: DemandPrices, type: NodeType): { served: RequestClass[]; otherShare: number } {
  const served = classes.filter(
    (one) => one.gpus > 0 && one.gpus <= type.gpus && one.cpuMilli <= type.cpuMilli && allowsModel({ ...one, ...NO_SIZE }, type),
  );
  return { served, otherShare: sum(classes, ({ share }) => share) - sum(served, ({ share }) => share) };
}

const NO_SIZE = { memoryMib: 0, gpuMilli: 0 };

function frequentShapes(shapes: readonly Shape[]): Shape[] {
  const merged = new Map<string, Shape>();
  for (const shape of shapes) {
    const key = `${shape.cpuMilli} ${shape.gpus} ${shape.gpuMilli} ${shape.models.join("|")}`;
    const known = merged.get(key);
    merged.set(key, known ? { ...known, seen: known.seen + shape.seen, blocked: known.blocked + shape.blocked } : shape);
  }
  const falling = [...merged.values()].sort((a, b) => b.seen - a.seen);
  const wanted = COVERED * sum(falling, ({ seen }) => seen);
  let covered = 0;
  return falling.filter(({ seen }) => {
    const isNeeded = covered < wanted;
    covered += seen;
    return isNeeded;
  });
}

function wasteOf(shapes: readonly Shape[]): Float64Array {
  const counts = new Map<number, number>();
  for (const shape of shapes) {
    if (isShared(shape)) counts.set(shape.gpuMilli, (counts.get(shape.gpuMilli) ?? 0) + shape.seen);
  }
  const priced = [...counts].sort(([, a], [, b]) => b - a).slice(0, SIZES_MAX);
  const values = idleValues({ sizes: priced.map(([size]) => size), counts: priced.map(([, count]) => count) });
  return values.map((value, milli) => Math.max(0, milli / GPU_MILLI - value));
}

function gpusPerCpuMilli(shapes: readonly Shape[]): number {
  const gpuShapes = shapes.filter(({ gpus }) => gpus > 0);
  const cpuMilli = sum(gpuShapes, (shape) => shape.seen * shape.cpuMilli);
  const gpuMilli = sum(gpuShapes, (shape) => shape.seen * shape.gpus * shape.gpuMilli);
  return cpuMilli > 0 ? gpuMilli / GPU_MILLI / cpuMilli : 0;
}

const sum = <T>(values: readonly T[], of: (value: T) => number): number =>
  values.reduce((total, value) => total + of(value), 0);
