import { GPU_MILLI } from "./gpu-request";
import type { NodeTable } from "./node-table";
import { fitsType, type Shape } from "./shape-table";

/** The most that pressure may be: beyond it the order of types no longer depends on how scarce a type is. */
const PRESSURE_MAX = 3;
/** Keeps the pressure of a nearly full type finite: a part of its capacity, and half a GPU. */
const FREE_SHARE_MIN = 0.01;
const FREE_GPUS_MIN = 0.5;

/**
 * How contested each type of node is: the GPUs that requests which cannot run on every type will need of it until the
 * pool is full, per idle GPU of the type, 0 to PRESSURE_MAX. The requests until then are expected to be like those seen,
 * and each shape to spread over the types that can hold it by their idle GPUs.
 */
export function typePressures(shapes: Iterable<Shape>, { types }: NodeTable): Float64Array {
  const demand = new Float64Array(types.length);
  let requested = 0;
  for (const shape of shapes) {
    const gpus = (shape.seen * shape.gpus * shape.gpuMilli) / GPU_MILLI;
    requested += gpus;
    if (gpus > 0) addConstrained(demand, { shape, gpus, types });
  }
  const idle = types.reduce((sum, { idleMilli }) => sum + idleMilli, 0) / GPU_MILLI;
  return demand.map((gpus, t) => {
    const { idleMilli, totalMilli } = types[t] as (typeof types)[number];
    const free = (idleMilli + FREE_SHARE_MIN * totalMilli) / GPU_MILLI + FREE_GPUS_MIN;
    return requested > 0 ? Math.min(PRESSURE_MAX, (idle * gpus) / requested / free) : 0;
  });
}

interface Constrained {
  shape: Shape;
  gpus: number;
  types: NodeTable["types"];
}

function addConstrained(demand: Float64Array, { shape, gpus, types }: Constrained): void {
  const inUse = types.filter(({ totalMilli }) => totalMilli > 0);
  const eligible = inUse.filter((type) => fitsType(shape, type));
  if (eligible.length === inUse.length) return;
  const idle = eligible.reduce((sum, { idleMilli }) => sum + idleMilli, 0);
  if (idle === 0) return;
  for (const [t, type] of types.entries()) {
    if (type.totalMilli > 0 && fitsType(shape, type))
      demand[t] = (demand[t] as number) + (gpus * type.idleMilli) / idle;
  }
}
