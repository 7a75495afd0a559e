import { type RequestClass, classesOf, type DemandPrices } from "./demand-prices";
import { DEVICES_MAX, GPU_MILLI } from "./gpu-request";
import type { NodeTable, NodeType } from "./node-table";
import { isShared, type Shape } from "./shape-table";

/** The weights of the losses, in GPUs lost, beside fragmentation, whose weight is 1. */
export interface PackingWeights {
  /** Idle parts of devices that no mix of the shares seen can use. */
  waste: number;
  /** Idle GPUs of a node beyond what its idle CPU can serve. */
  stranded: number;
  /** GPUs of a slot for several whole devices, per share of the requests for it that were blocked. */
  slots: number;
}

/** The part of a slot's value that remains for each device of it that is in use. */
const DEVICE_RELEASE = 0.5;

interface TypeClasses {
  served: RequestClass[];
  otherShare: number;
}

/**
 * How many GPUs of a node are lost to future requests, and what placing a request adds to it:
 * fragmentation + waste * (unusable parts of devices) + stranded * (GPUs without CPU).
 * Fragmentation is that of FGD (Weng et al., "Beware of Fragmentation", USENIX ATC 2023).
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
  #version = new Uint32Array(0);

  constructor(
    private readonly table: NodeTable,
    private readonly prices: DemandPrices,
    private readonly weights: PackingWeights,
  ) {
    this.#width = prices.thresholds.length;
  }

  /** GPUs of the node that are lost to future requests as it is. */
  loss(node: number): number {
    this.#refresh(node);
    return this.#loss[node] as number;
  }

  /**
   * The loss before minus the loss after placing a request of the shape on the node, for the device that makes it
   * highest; undefined if it does not fit. It does not look at whether the node accepts pods or has the right model.
   */
  gain(shape: Shape, node: number): number | undefined {
    const { table } = this;
    if (!hasAmounts(table, node, shape)) return undefined;
    if (isShared(shape)) return this.#sharedGain(shape, node);
    if (shape.gpus > 0 && shape.gpus > wholeDevices(table, node)) return undefined;
    this.#refresh(node);
    const cpuFree = (table.cpuFree[node] as number) - shape.cpuMilli;
    const idle = (table.idleMilli[node] as number) - shape.gpus * shape.gpuMilli;
    const lost = this.#lossAfter(node, { cpuFree, idle, fewer: shape.gpus, from: -1, to: -1 });
    return (this.#loss[node] as number) - lost - this.weights.waste * (this.#wasted[node] as number);
  }

  /** The gain of a request for part of a device on a given device that has as much idle. */
  gainOn(shape: Shape, node: number, device: number): number {
    const { table } = this;
    const { waste } = this.prices;
    this.#refresh(node);
    const from = table.deviceIdle[node * DEVICES_MAX + device] as number;
    const to = from - shape.gpuMilli;
    const cpuFree = (table.cpuFree[node] as number) - shape.cpuMilli;
    const idle = (table.idleMilli[node] as number) - shape.gpuMilli;
    const wasted = (this.#wasted[node] as number) - (waste[from] as number) + (waste[to] as number);
    const lost = this.#lossAfter(node, { cpuFree, idle, fewer: 0, from, to });
    return (this.#loss[node] as number) - lost - this.weights.waste * wasted;
  }

  #sharedGain(shape: Shape, node: number): number | undefined {
    const { table } = this;
    let best: number | undefined;
    let bestFrom = 0;
    let tried = 0;
    for (let device = 0; device < (table.gpus[node] as number); device++) {
      const from = table.deviceIdle[node * DEVICES_MAX + device] as number;
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

  /** Fragmentation and stranded GPUs after a change. */
  #lossAfter(node: number, after: { cpuFree: number; idle: number; fewer: number; from: number; to: number }): number {
    const { cpuFree, idle, fewer, from, to } = after;
    const { served, otherShare } = this.#classesOf(this.table.typeOf[node] as number);
    const { thresholds, gpusPerCpuMilli } = this.prices;
    const start = node * this.#width;
    let fragments = otherShare * idle;
    let slots = 0;
    for (const { cpuMilli, gpus, threshold, share, blockedShare } of served) {
      const size = thresholds[threshold] as number;
      let count = (this.#counts[start + threshold] as number) - fewer;
      let below = this.#below[start + threshold] as number;
      if (to < size) {
        below += Math.max(0, to);
        if (from >= size) count--;
        else below -= Math.max(0, from);
      }
      if (cpuFree >= cpuMilli && count >= gpus) {
        fragments += share * below;
        continue;
      }
      fragments += share * idle;
      if (blockedShare > 0 && gpus > 1) {
        slots += blockedShare * gpus * (cpuFree < cpuMilli ? 1 : 1 - DEVICE_RELEASE ** (gpus - count));
      }
    }
    const stranded = gpusPerCpuMilli > 0 ? Math.max(0, idle / GPU_MILLI - cpuFree * gpusPerCpuMilli) : 0;
    return fragments / GPU_MILLI + this.weights.stranded * stranded + this.weights.slots * slots;
  }

  /** Recomputes what is kept of a node that changed. */
  #refresh(node: number): void {
    if (node >= this.#version.length) this.#grow();
    const { table, prices } = this;
    // Versions begin at 1 for nodes that exist, so 0 means never computed.
    if (this.#version[node] === table.version[node]) return;
    this.#version[node] = table.version[node] as number;
    const devices = table.deviceIdle.subarray(node * DEVICES_MAX, node * DEVICES_MAX + (table.gpus[node] as number));
    let wasted = 0;
    for (const idle of devices) wasted += prices.waste[idle] as number;
    for (let k = 0; k < this.#width; k++) {
      const size = prices.thresholds[k] as number;
      let count = 0;
      let below = 0;
      for (const idle of devices) {
        if (idle >= size) count++;
        else below += idle;
      }
      this.#counts[node * this.#width + k] = count;
      this.#below[node * this.#width + k] = below;
    }
    const now = { cpuFree: table.cpuFree[node] as number, idle: table.idleMilli[node] as number, fewer: 0 };
    this.#wasted[node] = wasted;
    this.#loss[node] = this.#lossAfter(node, { ...now, from: -1, to: -1 }) + this.weights.waste * wasted;
  }

  #classesOf(typeId: number): TypeClasses {
    let classes = this.#types[typeId];
    if (!classes) {
      classes = classesOf(this.prices, this.table.types[typeId] as NodeType);
      this.#types[typeId] = classes;
    }
    return classes;
  }

  #grow(): void {
    const size = this.table.cpuFree.length;
    this.#counts = new Uint8Array(size * this.#width);
    this.#below = new Int32Array(size * this.#width);
    this.#loss = new Float64Array(size);
    this.#wasted = new Float64Array(size);
    this.#version = new Uint32Array(size);
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
