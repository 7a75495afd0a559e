import { demandPrices } from "./demand-prices";
import { DEVICES_MAX, GPU_MILLI, type Allocation, type GpuRequest, type NodeSpec } from "./gpu-request";
import { NodePotential } from "./node-potential";
import { NodeTable } from "./node-table";
import { ScoreIndex } from "./score-index";
import { isShared, type Shape, ShapeTable } from "./shape-table";
import { typePressures } from "./type-pressure";

export interface PackingPolicy {
  waste: number;
  stranded: number;
  slots: number;
  /** GPUs lost per requested GPU and unit of a type's pressure. */
  pressure: number;
  /** Gains that differ by less, in GPUs, are equal. */
  quantum: number;
}

export const PACKING_POLICY: PackingPolicy = { waste: 5, stranded: 0.25, slots: 30, pressure: 0.75, quantum: 0.075 };

export class PoolScheduler {
  readonly table = new NodeTable();
  readonly #shapes = new ShapeTable((shape) => this.#index.forget(shape));
  readonly #index: ScoreIndex;
  #potential: NodePotential;
  #pressures = new Float64Array(0);
  #arrived = 0;
  #nextPrices = 50;
  #nextPressure = 0;

  constructor(private readonly policy: PackingPolicy = PACKING_POLICY) {
    this.#index = new ScoreIndex(this.table, policy.quantum);
    this.#potential = this.#priced();
  }

  add(spec: NodeSpec): number {
    return this.table.add(spec);
  }

  place(request: GpuRequest): Allocation | undefined {
    const shape = this.#shapes.intern(request);
    shape.seen++;
    this.#arrived++;
    this.#reprice();
    const gpus = (shape.gpus * shape.gpuMilli) / GPU_MILLI;
    const scale = (this.policy.pressure * gpus) / this.policy.quantum;
    const node = this.#index.best(shape, this.#potential, (t) => -Math.round(scale * (this.#pressures[t] ?? 0)));
    if (node === undefined) { shape.blocked++; return undefined; }
    return this.table.take(node, shape, this.#devices(shape, node));
  }

  release(allocation: Allocation): boolean {
    return this.table.give(allocation);
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

  #reprice(): void {
    if (this.#arrived >= this.#nextPrices) {
      this.#nextPrices += Math.min(this.#nextPrices, 500);
      this.#potential = this.#priced();
    }
    if (this.#arrived >= this.#nextPressure) {
      this.#nextPressure = this.#arrived + 50;
      this.#pressures = typePressures(this.#shapes.all(), this.table);
    }
  }

  #priced(): NodePotential {
    return new NodePotential(this.table, demandPrices(this.#shapes.all()), this.policy);
  }
}
