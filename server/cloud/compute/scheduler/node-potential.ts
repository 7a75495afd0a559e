import type { DemandPrices } from "./demand-prices";
import { DEVICES_MAX, GPU_MILLI } from "./gpu-request";
import { copied, type NodeTable, type NodeType } from "./node-table";
import { isShared, type Shape } from "./shape-table";
import { type TypeClasses, typeClasses } from "./type-classes";

/** The weights of the losses, beside fragmentation, whose weight is 1. */
export interface LossWeights {
  /** Per GPU idle in parts of devices that no mix of the shares seen can use. */
  waste: number;
  /** Per idle GPU beyond what the node's idle CPU can serve. */
  stranded: number;
  /** Per GPU of a multi-GPU request that the node cannot hold, times the part of such requests that were blocked. */
  blocked: number;
}

/** How much of the value of a slot for several devices each device in use leaves: it will become idle again. */
const IN_USE_VALUE = 0.5;

/** What is left of a node. `from` and `to` are the idle thousandths of the one device that changed, -1 for none. */
interface NodeRest {
  cpuFree: number;
  idleMilli: number;
  /** Whole devices that were taken. */
  taken: number;
  from: number;
  to: number;
}

/**
 * How many GPUs of a node are lost to future requests, and what placing a request adds to it: fragmentation (Weng et
 * al., "Beware of Fragmentation", USENIX ATC 2023) plus the weighted losses.
 */
export class NodePotential {
  /** The device of the last `gain` of a request for part of a device. */
  device = -1;
  readonly #width: number;
  readonly #types: (TypeClasses | undefined)[] = [];
  /** By node and threshold: devices with at least so much idle, and the idle thousandths of the others. */
  #counts = new Uint8Array(0);
  #below = new Int32Array(0);
  #loss = new Float64Array(0);
  #wasted = new Float64Array(0);
  /** The node's version that the columns above describe; 0 for none. */
  #version = new Uint32Array(0);
  readonly #rest: NodeRest = { cpuFree: 0, idleMilli: 0, taken: 0, from: -1, to: -1 };

  constructor(
    private readonly table: NodeTable,
    private readonly prices: DemandPrices,
    private readonly weights: LossWeights,
  ) {
    this.#width = prices.thresholds.length;
  }

  /**
   * The loss before minus the loss after placing a request of the shape on the node, in GPUs, on the device that makes
   * it highest; undefined if it does not fit. Whether the node accepts pods and has an allowed model is not considered.
   */
  gain(shape: Shape, node: number): number | undefined {
    const { table } = this;
    if (!hasAmounts(table, node, shape)) return undefined;
    if (isShared(shape)) return this.#sharedGain(shape, node);
    if (shape.gpus > 0 && shape.gpus > wholeDevices(table, node)) return undefined;
    this.#refresh(node);
    const rest = this.#restWithout(shape, node);
    rest.taken = shape.gpus;
    return (
      (this.#loss[node] as number) - this.#lossOf(node, rest) - this.weights.waste * (this.#wasted[node] as number)
    );
  }

  /** The gain of a request for part of a device, on a device that has as much idle. */
  gainOn(shape: Shape, node: number, device: number): number {
    const { waste } = this.prices;
    this.#refresh(node);
    const rest = this.#restWithout(shape, node);
    rest.from = this.table.deviceIdleOf(node, device);
    rest.to = rest.from - shape.gpuMilli;
    const wasted = (this.#wasted[node] as number) - (waste[rest.from] as number) + (waste[rest.to] as number);
    return (this.#loss[node] as number) - this.#lossOf(node, rest) - this.weights.waste * wasted;
  }

  #sharedGain(shape: Shape, node: number): number | undefined {
    const { table } = this;
    let best: number | undefined;
    let bestFrom = 0;
    let tried = 0;
    for (let device = 0; device < (table.gpus[node] as number); device++) {
      const from = table.deviceIdleOf(node, device);
      if (from < shape.gpuMilli || from === tried) continue;
      tried = from;
      const gain = this.gainOn(shape, node, device);
      if (best !== undefined && (gain < best || (gain === best && from >= bestFrom))) continue;
      best = gain;
      bestFrom = from;
      this.device = device;
    }
    return best;
  }

  /** The loss of what is left of a node, without waste. */
  #lossOf(node: number, { cpuFree, idleMilli, taken, from, to }: NodeRest): number {
    const classes = this.#classesOf(this.table.typeOf[node] as number);
    const start = node * this.#width;
    let fragments = classes.otherShare * idleMilli;
    let blocked = 0;
    for (let m = 0; m < classes.size.length; m++) {
      const size = classes.size[m] as number;
      const at = start + (classes.threshold[m] as number);
      const hasLost = from >= size && to < size;
      const lacking = (classes.gpus[m] as number) - (this.#counts[at] as number) + taken + (hasLost ? 1 : 0);
      const lacksCpu = cpuFree < (classes.cpuMilli[m] as number);
      if (lacksCpu || lacking > 0) {
        fragments += (classes.share[m] as number) * idleMilli;
        const gpus = classes.blockedGpus[m] as number;
        if (gpus > 0) blocked += lacksCpu ? gpus : gpus * (1 - IN_USE_VALUE ** lacking);
      } else {
        const change = to >= size ? 0 : Math.max(0, to) - (from < size ? Math.max(0, from) : 0);
        fragments += (classes.share[m] as number) * ((this.#below[at] as number) + change);
      }
    }
    const { stranded, blocked: blockedWeight } = this.weights;
    return fragments / GPU_MILLI + stranded * this.#strandedGpus(cpuFree, idleMilli) + blockedWeight * blocked;
  }

  #strandedGpus(cpuFree: number, idleMilli: number): number {
    const { gpusPerCpuMilli } = this.prices;
    return gpusPerCpuMilli > 0 ? Math.max(0, idleMilli / GPU_MILLI - cpuFree * gpusPerCpuMilli) : 0;
  }

  /** The node's amounts less those of the shape; the object is reused. */
  #restWithout(shape: Shape | undefined, node: number): NodeRest {
    const rest = this.#rest;
    rest.cpuFree = (this.table.cpuFree[node] as number) - (shape?.cpuMilli ?? 0);
    rest.idleMilli = (this.table.idleMilli[node] as number) - (shape ? shape.gpus * shape.gpuMilli : 0);
    rest.taken = 0;
    rest.from = -1;
    rest.to = -1;
    return rest;
  }

  /** Recomputes what is kept of a node that changed. */
  #refresh(node: number): void {
    if (node >= this.#version.length) this.#grow();
    const { table, prices } = this;
    if (this.#version[node] === table.version[node]) return;
    this.#version[node] = table.version[node] as number;
    const start = node * DEVICES_MAX;
    const end = start + (table.gpus[node] as number);
    let wasted = 0;
    for (let at = start; at < end; at++) wasted += prices.waste[table.deviceIdle[at] as number] as number;
    for (let k = 0; k < this.#width; k++) {
      const size = prices.thresholds[k] as number;
      let count = 0;
      let below = 0;
      for (let at = start; at < end; at++) {
        const idle = table.deviceIdle[at] as number;
        if (idle >= size) count++;
        else below += idle;
      }
      this.#counts[node * this.#width + k] = count;
      this.#below[node * this.#width + k] = below;
    }
    this.#wasted[node] = wasted;
    this.#loss[node] = this.#lossOf(node, this.#restWithout(undefined, node)) + this.weights.waste * wasted;
  }

  #classesOf(typeId: number): TypeClasses {
    let classes = this.#types[typeId];
    if (!classes) {
      classes = typeClasses(this.prices, this.table.types[typeId] as NodeType);
      this.#types[typeId] = classes;
    }
    return classes;
  }

  #grow(): void {
    const size = this.table.cpuFree.length;
    this.#counts = copied(this.#counts, new Uint8Array(size * this.#width));
    this.#below = copied(this.#below, new Int32Array(size * this.#width));
    this.#loss = copied(this.#loss, new Float64Array(size));
    this.#wasted = copied(this.#wasted, new Float64Array(size));
    this.#version = copied(this.#version, new Uint32Array(size));
  }
}

/** Whether the node has the CPU, the memory and, summed over its devices, the GPUs. */
const hasAmounts = (table: NodeTable, node: number, { cpuMilli, memoryMib, gpus, gpuMilli }: Shape): boolean =>
  (table.cpuFree[node] as number) >= cpuMilli &&
  (table.memoryFree[node] as number) >= memoryMib &&
  (table.idleMilli[node] as number) >= gpus * gpuMilli;

/** The devices of a node that nobody uses. */
export function wholeDevices(table: NodeTable, node: number): number {
  let whole = 0;
  const start = node * DEVICES_MAX;
  for (let at = start; at < start + (table.gpus[node] as number); at++) if (table.deviceIdle[at] === GPU_MILLI) whole++;
  return whole;
}
