import { type Blocked, blockedReason } from "./blocked-reason";
import { demandPrices } from "./demand-prices";
import { DemandWindow } from "./demand-window";
import { type Allocation, DEVICES_MAX, GPU_MILLI, type GpuRequest, type NodeSpec } from "./gpu-request";
import { type LossWeights, NodePotential } from "./node-potential";
import { NodeTable } from "./node-table";
import { ScoreIndex } from "./score-index";
import { isShared, requestedMilli, type Shape, ShapeTable } from "./shape-table";
import { typePressures } from "./type-pressure";

export interface PackingPolicy extends LossWeights {
  /** GPUs lost per requested GPU and unit of the pressure on the node's type. */
  pressure: number;
  /** Scores are multiples of this many GPUs; smaller differences count as none. */
  quantum: number;
}

/** Found by replays of the openb trace: `npm run bench -- scheduler`. */
export const PACKING_POLICY: PackingPolicy = { waste: 5, stranded: 0.25, blocked: 30, pressure: 0.75, quantum: 0.075 };

/** Demand is looked at after so many requests. */
const LOOK_EVERY = 50;

/**
 * Chooses nodes and devices of one pool for requests. Everything is in memory and synchronous; the caller stores an
 * allocation before it starts the pod, and releases it if that fails.
 */
export class PoolScheduler {
  readonly table = new NodeTable();
  readonly #shapes = new ShapeTable((shape) => this.#index.forget(shape));
  readonly #demand = new DemandWindow(() => this.#shapes.all());
  readonly #index: ScoreIndex;
  #potential: NodePotential;
  #pressures: Float64Array = new Float64Array(0);
  #requests = 0;

  constructor(private readonly policy: PackingPolicy = PACKING_POLICY) {
    this.#index = new ScoreIndex(this.table, policy.quantum);
    this.#potential = this.#priced();
  }

  /** Adds an idle node and returns its index. */
  addNode(spec: NodeSpec): number {
    return this.table.add(spec);
  }

  /** Removes a node; its allocations become void. */
  removeNode(node: number): void {
    this.table.remove(node);
  }

  /** Whether the node accepts pods; those on a cordoned node stay. */
  setCordoned(node: number, isCordoned: boolean): void {
    this.table.setOpen(node, !isCordoned);
  }

  /**
   * Places a request that arrives, and counts it as demand; undefined if it does not fit, and `explain` says why. Throws
   * a RangeError if it is malformed. When it is tried again later, call `retry`, so that one request counts once.
   */
  place(request: GpuRequest): Allocation | undefined {
    const shape = this.#arrived(request, 1);
    const placed = this.#placeShape(shape);
    if (!placed) shape.blocked++;
    return placed;
  }

  retry(request: GpuRequest): Allocation | undefined {
    return this.#placeShape(this.#shapes.intern(request));
  }

  /** Why a request that was not placed does not fit; in O(nodes), so not part of a decision. */
  explain(request: GpuRequest): Blocked {
    return blockedReason(request, this.table);
  }

  /** Frees what a pod occupied; false if its node was removed. Throws a RangeError if it is not occupied. */
  release(allocation: Allocation): boolean {
    return this.table.give(allocation);
  }

  /** The best node for a request as things are, without placing it; undefined if none can hold it. */
  decide(request: GpuRequest): number | undefined {
    return this.#bestNode(this.#shapes.intern(request));
  }

  #placeShape(shape: Shape): Allocation | undefined {
    const node = this.#bestNode(shape);
    return node === undefined ? undefined : this.table.take(node, shape, this.#devices(shape, node));
  }

  #bestNode(shape: Shape): number | undefined {
    const scale = (this.policy.pressure * requestedMilli(shape)) / GPU_MILLI / this.policy.quantum;
    return this.#index.best(shape, this.#potential, (t) => -Math.round(scale * (this.#pressures[t] ?? 0)));
  }

  #devices(shape: Shape, node: number): number[] {
    if (isShared(shape)) {
      this.#potential.gain(shape, node);
      return [this.#potential.device];
    }
    const devices: number[] = [];
    for (let device = 0; device < DEVICES_MAX && devices.length < shape.gpus; device++) {
      if (this.table.deviceIdleOf(node, device) === GPU_MILLI) devices.push(device);
    }
    return devices;
  }

  #arrived(request: GpuRequest, count: number): Shape {
    const shape = this.#shapes.intern(request);
    shape.seen += count;
    if (this.#requests++ % LOOK_EVERY === 0) {
      this.#demand.fade();
      this.#pressures = typePressures(this.#shapes.all(), this.table);
      if (this.#demand.hasDrifted()) this.#potential = this.#priced();
    }
    return shape;
  }

  #priced(): NodePotential {
    const prices = demandPrices(this.#shapes.all());
    this.#demand.mark(prices.shapeIds);
    return new NodePotential(this.table, prices, this.policy);
  }
}
