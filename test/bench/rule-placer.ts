import {
  type Allocation,
  DEVICES_MAX,
  GPU_MILLI,
  type GpuRequest,
  type NodeSpec,
} from "../../server/cloud/compute/scheduler/gpu-request";
import { wholeDevices } from "../../server/cloud/compute/scheduler/node-potential";
import { NodeTable, type NodeType } from "../../server/cloud/compute/scheduler/node-table";
import { allowsModel, isShared, type Shape, ShapeTable } from "../../server/cloud/compute/scheduler/shape-table";
import type { Placer } from "./packing-replay";

/** How a policy rates the nodes that can hold a request. */
export interface ScoreRule {
  /** A whole number of at least 0; the first node with the highest is chosen. */
  score(node: number, shape: Shape): number;
  /** The device for part of one; by default the one with the least idle that suffices. */
  device?(node: number, shape: Shape): number;
  /** Whether a random node of those with the highest score is chosen. */
  isRandom?: boolean;
  /** Called when a request was placed (1) or released (-1). */
  moved?(node: number, shape: GpuRequest, sign: 1 | -1): void;
}

interface Scores {
  scores: Int16Array;
  position: number;
}

/** Places by a rule on nodes whose order is fixed. Scores are kept per shape and renewed for nodes that changed. */
export class RulePlacer implements Placer {
  readonly table = new NodeTable();
  readonly #shapes = new ShapeTable((shape) => this.#scores.delete(shape.id));
  readonly #scores = new Map<number, Scores>();
  readonly #rule: ScoreRule;

  constructor(
    nodes: readonly NodeSpec[],
    rule: (table: NodeTable) => ScoreRule,
    private readonly random: () => number,
  ) {
    for (const node of nodes) this.table.add(node);
    this.#rule = rule(this.table);
  }

  place(request: GpuRequest): Allocation | undefined {
    const shape = this.#shapes.intern(request);
    const node = this.#best(this.#upToDate(shape));
    if (node < 0) return undefined;
    const devices = isShared(shape) ? [this.#deviceFor(node, shape)] : wholeDevicesOf(this.table, node, shape.gpus);
    const allocation = this.table.take(node, shape, devices);
    this.#rule.moved?.(node, shape, 1);
    return allocation;
  }

  release(allocation: Allocation): void {
    this.table.give(allocation);
    this.#rule.moved?.(allocation.node, { ...allocation, gpus: allocation.devices.length, models: [] }, -1);
  }

  #upToDate(shape: Shape): Int16Array {
    const known = this.#scores.get(shape.id);
    const changes = known ? this.table.changesSince(known.position) : undefined;
    const scores = known?.scores ?? new Int16Array(this.table.length);
    if (changes) for (const node of changes) scores[node] = this.#score(node, shape);
    else for (let node = 0; node < scores.length; node++) scores[node] = this.#score(node, shape);
    this.#scores.set(shape.id, { scores, position: this.table.position });
    return scores;
  }

  #score(node: number, shape: Shape): number {
    return canHold(this.table, node, shape) ? this.#rule.score(node, shape) : -1;
  }

  #best(scores: Int16Array): number {
    let best = -1;
    let ties = 0;
    for (let node = 0; node < scores.length; node++) {
      const ahead = (scores[node] as number) - (best < 0 ? -1 : (scores[best] as number));
      if (ahead < 0 || (scores[node] as number) < 0) continue;
      if (ahead > 0) ties = 0;
      ties++;
      if (ahead > 0 || (this.#rule.isRandom && this.random() < 1 / ties)) best = node;
    }
    return best;
  }

  #deviceFor(node: number, shape: Shape): number {
    if (this.#rule.device) return this.#rule.device(node, shape);
    let tightest = -1;
    for (let device = 0; device < (this.table.gpus[node] as number); device++) {
      const idle = this.table.deviceIdleOf(node, device);
      if (idle < shape.gpuMilli || (tightest >= 0 && idle >= this.table.deviceIdleOf(node, tightest))) continue;
      tightest = device;
    }
    return tightest;
  }
}

function canHold(table: NodeTable, node: number, shape: Shape): boolean {
  const type = table.types[table.typeOf[node] as number] as NodeType;
  if ((table.cpuFree[node] as number) < shape.cpuMilli) return false;
  if ((table.memoryFree[node] as number) < shape.memoryMib || !allowsModel(shape, type)) return false;
  if (!isShared(shape)) return shape.gpus === 0 || wholeDevices(table, node) >= shape.gpus;
  for (let device = 0; device < type.gpus; device++) {
    if (table.deviceIdleOf(node, device) >= shape.gpuMilli) return true;
  }
  return false;
}

function wholeDevicesOf(table: NodeTable, node: number, count: number): number[] {
  const devices: number[] = [];
  for (let device = 0; device < DEVICES_MAX && devices.length < count; device++) {
    if (table.deviceIdleOf(node, device) === GPU_MILLI) devices.push(device);
  }
  return devices;
}
