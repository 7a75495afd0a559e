import { idleValues } from "./cutting-stock";
import { GPU_MILLI } from "./gpu-request";
import { isShared, requestedMilli, type Shape } from "./shape-table";

/** What the requests seen so far say about the worth of idle resources. */
export interface DemandPrices {
  /** Devices lost in an idle part of a device, by its thousandths: what no mix of the shares seen can use. */
  waste: Float64Array;
  /** GPUs per thousandth of a core, over the GPU requests seen; 0 if none needs CPU. */
  gpusPerCpuMilli: number;
  /** The device sizes that the classes ask for, ascending, in thousandths. */
  thresholds: readonly number[];
  /** The frequent kinds of requests. */
  classes: readonly RequestClass[];
  /** The ids of the shapes that the classes describe. */
  shapeIds: ReadonlySet<number>;
}

/** Requests that are alike but for memory. */
export interface RequestClass {
  cpuMilli: number;
  gpus: number;
  /** The index of the device size in `thresholds`. */
  threshold: number;
  models: readonly string[];
  /** The class's part of the requests of all classes. */
  share: number;
  /** The part of the class's requests that did not fit. */
  blockedShare: number;
}

/** Classes are added by falling frequency until they cover this part of the requests (Weng et al., USENIX ATC 2023). */
const COVERED = 0.95;
/** The most shares that are priced; the time to price them grows with the cube. */
const SIZES_MAX = 64;

export function demandPrices(shapes: Iterable<Shape>): DemandPrices {
  const seen = [...shapes];
  const frequent = frequentShapes(seen);
  const total = sum(frequent, (shape) => shape.seen);
  const thresholds = [...new Set(frequent.map(({ gpuMilli }) => gpuMilli))].sort((a, b) => a - b);
  const classes = frequent.map((shape) => ({
    cpuMilli: shape.cpuMilli,
    gpus: shape.gpus,
    models: shape.models,
    threshold: thresholds.indexOf(shape.gpuMilli),
    share: shape.seen / total,
    blockedShare: shape.blocked / shape.seen,
  }));
  const shapeIds = new Set(frequent.flatMap(({ ids }) => ids));
  return { waste: wasteOf(seen), gpusPerCpuMilli: gpusPerCpuMilli(seen), thresholds, classes, shapeIds };
}

interface MergedShape extends Shape {
  ids: number[];
}

function frequentShapes(shapes: readonly Shape[]): MergedShape[] {
  const merged = new Map<string, MergedShape>();
  for (const shape of shapes) {
    if (shape.seen === 0) continue;
    const key = `${shape.cpuMilli} ${shape.gpus} ${shape.gpuMilli} ${shape.models.join("|")}`;
    const known = merged.get(key);
    const counts = { seen: shape.seen + (known?.seen ?? 0), blocked: shape.blocked + (known?.blocked ?? 0) };
    merged.set(key, { ...shape, ...counts, ids: [...(known?.ids ?? []), shape.id] });
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
    if (isShared(shape) && shape.seen > 0) {
      counts.set(shape.gpuMilli, (counts.get(shape.gpuMilli) ?? 0) + shape.seen);
    }
  }
  const priced = [...counts].sort(([, a], [, b]) => b - a).slice(0, SIZES_MAX);
  const values = idleValues({ sizes: priced.map(([size]) => size), counts: priced.map(([, count]) => count) });
  return values.map((value, milli) => Math.max(0, milli / GPU_MILLI - value));
}

function gpusPerCpuMilli(shapes: readonly Shape[]): number {
  const gpuShapes = shapes.filter(({ gpus }) => gpus > 0);
  const cpuMilli = sum(gpuShapes, (shape) => shape.seen * shape.cpuMilli);
  const gpuMilli = sum(gpuShapes, (shape) => shape.seen * requestedMilli(shape));
  return cpuMilli > 0 ? gpuMilli / GPU_MILLI / cpuMilli : 0;
}

const sum = <T>(values: readonly T[], of: (value: T) => number): number =>
  values.reduce((total, value) => total + of(value), 0);
