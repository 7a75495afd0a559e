import { type Blocked, blockedReason } from "./blocked-reason";
import { type DemandPrices, demandPrices } from "./demand-prices";
import { DemandWindow } from "./demand-window";
import { type GangSize, gangNodes, gangRoom } from "./gang-domains";
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

/** The most members of a gang. */
export const GANG_MAX = 4096;

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
  #prices: DemandPrices = demandPrices([]);
  #potential: NodePotential;
  #pressures: Float64Array = new Float64Array(0);
  #requests = 0;

  constructor(private readonly policy: PackingPolicy = PACKING_POLICY) {
    this.#index = new ScoreIndex(this.table, policy.quantum);
    this.#potential = this.#priced();
  }

  /** Adds an idle node and returns its index. Throws a RangeError if an amount is out of range. */
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

  /** Places a request that did not fit before, without counting it again. */
  retry(request: GpuRequest): Allocation | undefined {
    return this.#placeShape(this.#shapes.intern(request));
  }

  /**
   * Places all members of a gang or none: in the domain with the least room that holds them, else, unless `isSingle`, in
   * the fewest domains. Counts them as demand.
   */
  placeGang(request: GpuRequest, gang: GangSize): Allocation[] | undefined {
    if (!(gang.members >= 1 && gang.members <= GANG_MAX)) throw new RangeError(`a gang has 1 to ${GANG_MAX} members`);
    const shape = this.#arrived(request, gang.members);
    const nodes = gangNodes(this.table, shape, gang);
    const placed = nodes && this.#takeAll(shape, nodes);
    if (!placed) shape.blocked += gang.members;
    return placed;
  }

  /** Occupies what a pod already has, after a restart. Throws a RangeError if the node does not have it. */
  restore(node: number, request: GpuRequest, devices: readonly number[]): Allocation {
    return this.table.take(node, request, devices);
  }

  /** Why a request that was not placed does not fit; in O(nodes), so not part of a decision. */
  explain(request: GpuRequest): Blocked {
    return blockedReason(request, this.table);
  }

  /** How many members of a gang fit at once: in all, and in the domain with the most room. In O(nodes). */
  roomForGang(request: GpuRequest): { all: number; largest: number } {
    return gangRoom(this.table, request);
  }

  /** Frees what a pod occupied; false if its node was removed. Throws a RangeError if it is not occupied. */
  release(allocation: Allocation): boolean {
    return this.table.give(allocation);
  }

  /** Drops every cached score, so that the next decision about a shape looks at every node. */
  forgetScores(): void {
    for (const shape of this.#shapes.all()) this.#index.forget(shape);
    this.#potential = new NodePotential(this.table, this.#prices, this.policy);
  }

  #placeShape(shape: Shape): Allocation | undefined {
    const node = this.#bestNode(shape);
    return node === undefined ? undefined : this.table.take(node, shape, this.#devices(shape, node));
  }

  /** Undoes the members that were placed if one fails. */
  #takeAll(shape: Shape, nodes: readonly number[]): Allocation[] {
    const placed: Allocation[] = [];
    try {
      for (const node of nodes) placed.push(this.table.take(node, shape, this.#devices(shape, node)));
      return placed;
    } catch (error) {
      for (const allocation of placed.reverse()) this.table.give(allocation);
      throw error;
    }
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
    this.#prices = demandPrices(this.#shapes.all());
    this.#demand.mark(this.#prices.shapeIds);
    return new NodePotential(this.table, this.#prices, this.policy);
  }
}
