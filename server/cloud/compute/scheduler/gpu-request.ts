/** Thousandths of a GPU in one GPU. */
export const GPU_MILLI = 1000;
/** The most GPUs on one node. */
export const DEVICES_MAX = 16;

/** What one pod needs on one node. */
export interface GpuRequest {
  /** Thousandths of a core. */
  cpuMilli: number;
  memoryMib: number;
  /** Devices, 0 to DEVICES_MAX. */
  gpus: number;
  /** Thousandths of each device: 1 to 999 to share one device, 1000 for whole devices, 0 without GPUs. */
  gpuMilli: number;
  /** Allowed GPU models; empty for any. */
  models: readonly string[];
}

/** A node of the pool, as it is when idle. */
export interface NodeSpec {
  cpuMilli: number;
  memoryMib: number;
  gpus: number;
  model: string;
  /** The NVLink domain or rack that the node belongs to; nodes without one are a domain of their own. */
  domain?: string;
}

/** What a placed pod occupies. `generation` tells apart the nodes that used one slot of the table one after another. */
export interface Allocation {
  node: number;
  generation: number;
  devices: readonly number[];
  cpuMilli: number;
  memoryMib: number;
  gpuMilli: number;
}

/** Throws a RangeError if a request is not of the form that GpuRequest states. */
export function assertRequest({ cpuMilli, memoryMib, gpus, gpuMilli }: GpuRequest): void {
  assertAmounts({ cpuMilli, memoryMib, gpus, gpuMilli });
  if (gpus === 0 ? gpuMilli !== 0 : gpuMilli === 0 || gpuMilli > GPU_MILLI) {
    throw new RangeError(`gpuMilli must be 1 to ${GPU_MILLI} with GPUs and 0 without`);
  }
  if (gpus > 1 && gpuMilli !== GPU_MILLI) throw new RangeError("only a single GPU can be shared");
}

/** Throws a RangeError if a node is not of the form that NodeSpec states. */
export const assertNode = ({ cpuMilli, memoryMib, gpus }: NodeSpec): void =>
  assertAmounts({ cpuMilli, memoryMib, gpus });

function assertAmounts(amounts: { gpus: number } & Record<string, number>): void {
  for (const [name, value] of Object.entries(amounts)) {
    if (!Number.isInteger(value) || value < 0 || value > AMOUNT_MAX) {
      throw new RangeError(`${name} must be an integer from 0 to ${AMOUNT_MAX}`);
    }
  }
  if (amounts.gpus > DEVICES_MAX) throw new RangeError(`gpus must be at most ${DEVICES_MAX}`);
}

/** The largest CPU or memory amount that a table of 32-bit integers holds with room for sums. */
const AMOUNT_MAX = 1_000_000_000;
