import { type Allocation, assertNode, DEVICES_MAX, GPU_MILLI, type GpuRequest, type NodeSpec } from "./gpu-request";

/** Nodes that are alike when idle. */
export interface NodeType {
  cpuMilli: number;
  memoryMib: number;
  gpus: number;
  model: string;
  /** Nodes by rank, the fixed order of ties, removed ones included. */
  nodes: number[];
  /** Removed nodes, whose index the next node of the type gets. */
  vacant: number[];
  /** Idle and total thousandths of GPUs of the nodes that accept pods. */
  idleMilli: number;
  totalMilli: number;
}

const LOG_LENGTH_MIN = 4096;

/**
 * The nodes of a pool as columns of typed arrays, and a log of the nodes that changed. The index of a removed node is
 * given to the next node of its type, so type and rank of an index never change; `generation` tells its holders apart.
 */
export class NodeTable {
  readonly types: NodeType[] = [];
  /** Rows in use, removed nodes included. */
  length = 0;
  cpuFree = new Int32Array(64);
  memoryFree = new Int32Array(64);
  /** Idle thousandths over all devices of the node. */
  idleMilli = new Int32Array(64);
  /** Idle thousandths of device d of node n at n * DEVICES_MAX + d. */
  deviceIdle = new Int16Array(64 * DEVICES_MAX);
  gpus = new Uint8Array(64);
  typeOf = new Int32Array(64);
  /** The node's place in its type's `nodes`. */
  rank = new Int32Array(64);
  /** 1 for nodes that accept pods: not removed, not cordoned. */
  isOpen = new Uint8Array(64);
  /** Counts every change of the node. */
  version = new Uint32Array(64);
  readonly domains: (string | undefined)[] = [];
  readonly #generation: number[] = [];
  readonly #present: boolean[] = [];
  readonly #typeByKey = new Map<string, number>();
  #log = new Int32Array(LOG_LENGTH_MIN);
  #logStart = 0;
  #logLength = 0;

  /** Adds an idle node and returns its index. Throws a RangeError if an amount is out of range. */
  add(spec: NodeSpec): number {
    assertNode(spec);
    const typeId = this.#internType(spec);
    const type = this.types[typeId] as NodeType;
    const node = type.vacant.pop() ?? this.#append(typeId);
    this.cpuFree[node] = spec.cpuMilli;
    this.memoryFree[node] = spec.memoryMib;
    this.gpus[node] = spec.gpus;
    this.idleMilli[node] = spec.gpus * GPU_MILLI;
    this.deviceIdle.fill(0, node * DEVICES_MAX, (node + 1) * DEVICES_MAX);
    this.deviceIdle.fill(GPU_MILLI, node * DEVICES_MAX, node * DEVICES_MAX + spec.gpus);
    this.domains[node] = spec.domain;
    this.#generation[node] = (this.#generation[node] ?? 0) + 1;
    this.#present[node] = true;
    this.isOpen[node] = 0;
    this.setOpen(node, true);
    return node;
  }

  /** Removes a node with everything on it. Its allocations become void. */
  remove(node: number): void {
    this.#assertPresent(node);
    this.setOpen(node, false);
    this.#present[node] = false;
    (this.types[this.typeOf[node] as number] as NodeType).vacant.push(node);
  }

  /** Whether the node accepts pods; what runs on a closed node stays. */
  setOpen(node: number, isOpen: boolean): void {
    this.#assertPresent(node);
    if ((this.isOpen[node] === 1) === isOpen) return;
    const type = this.types[this.typeOf[node] as number] as NodeType;
    const sign = isOpen ? 1 : -1;
    this.isOpen[node] = isOpen ? 1 : 0;
    type.idleMilli += sign * (this.idleMilli[node] as number);
    type.totalMilli += sign * type.gpus * GPU_MILLI;
    this.#changed(node);
  }

  /** Occupies what the request needs on the given devices. Throws a RangeError if the node does not have it. */
  take(node: number, request: GpuRequest, devices: readonly number[]): Allocation {
    this.#assertPresent(node);
    const { cpuMilli, memoryMib, gpuMilli } = request;
    const lacks = cpuMilli > (this.cpuFree[node] as number) || memoryMib > (this.memoryFree[node] as number);
    if (lacks || devices.length !== request.gpus || new Set(devices).size !== devices.length) {
      throw new RangeError("the node cannot hold the request");
    }
    for (const device of devices) {
      if (!(device >= 0 && device < (this.gpus[node] as number) && this.deviceIdleOf(node, device) >= gpuMilli)) {
        throw new RangeError("the device cannot hold the request");
      }
    }
    const generation = this.#generation[node] as number;
    const allocation = { node, generation, devices, cpuMilli, memoryMib, gpuMilli };
    this.#apply(allocation, -1);
    return allocation;
  }

  /** Frees an allocation; false if its node is gone. Throws a RangeError if it was freed before. */
  give(allocation: Allocation): boolean {
    const { node, generation, devices, gpuMilli, cpuMilli, memoryMib } = allocation;
    if (!this.#present[node] || this.#generation[node] !== generation) return false;
    const type = this.types[this.typeOf[node] as number] as NodeType;
    const isOver =
      (this.cpuFree[node] as number) + cpuMilli > type.cpuMilli ||
      (this.memoryFree[node] as number) + memoryMib > type.memoryMib ||
      devices.some((device) => this.deviceIdleOf(node, device) + gpuMilli > GPU_MILLI);
    if (isOver) throw new RangeError("the allocation is not on the node");
    this.#apply(allocation, 1);
    return true;
  }

  /** Whether nothing runs on the node. */
  isUnused(node: number): boolean {
    const type = this.types[this.typeOf[node] as number] as NodeType;
    return (
      this.idleMilli[node] === type.gpus * GPU_MILLI &&
      this.cpuFree[node] === type.cpuMilli &&
      this.memoryFree[node] === type.memoryMib
    );
  }

  deviceIdleOf(node: number, device: number): number {
    return this.deviceIdle[node * DEVICES_MAX + device] as number;
  }

  /** The position after the last change, for changesSince. */
  get position(): number {
    return this.#logStart + this.#logLength;
  }

  /** The nodes that changed since a position, repeats included; undefined if the log no longer goes back that far. */
  changesSince(position: number): Int32Array | undefined {
    if (position < this.#logStart) return undefined;
    return this.#log.subarray(position - this.#logStart, this.#logLength);
  }

  #apply({ node, devices, gpuMilli, cpuMilli, memoryMib }: Allocation, sign: 1 | -1): void {
    this.cpuFree[node] = (this.cpuFree[node] as number) + sign * cpuMilli;
    this.memoryFree[node] = (this.memoryFree[node] as number) + sign * memoryMib;
    for (const device of devices) {
      const at = node * DEVICES_MAX + device;
      this.deviceIdle[at] = (this.deviceIdle[at] as number) + sign * gpuMilli;
    }
    const milli = sign * gpuMilli * devices.length;
    this.idleMilli[node] = (this.idleMilli[node] as number) + milli;
    if (this.isOpen[node]) (this.types[this.typeOf[node] as number] as NodeType).idleMilli += milli;
    this.#changed(node);
  }

  #changed(node: number): void {
    this.version[node] = (this.version[node] as number) + 1;
    if (this.#logLength === this.#log.length) this.#forgetHalf();
    this.#log[this.#logLength++] = node;
  }

  /** Readers further back than twice the nodes gain nothing from the log: they look at every node. */
  #forgetHalf(): void {
    const kept = this.#logLength >> 1;
    const log = new Int32Array(Math.max(LOG_LENGTH_MIN, 4 * this.length));
    log.set(this.#log.subarray(this.#logLength - kept, this.#logLength));
    this.#logStart += this.#logLength - kept;
    this.#logLength = kept;
    this.#log = log;
  }

  #append(typeId: number): number {
    const node = this.length++;
    const { nodes } = this.types[typeId] as NodeType;
    this.#grow();
    this.typeOf[node] = typeId;
    this.rank[node] = nodes.length;
    nodes.push(node);
    return node;
  }

  #internType({ cpuMilli, memoryMib, gpus, model }: NodeSpec): number {
    const key = JSON.stringify([model, gpus, cpuMilli, memoryMib]);
    const known = this.#typeByKey.get(key);
    if (known !== undefined) return known;
    this.types.push({ cpuMilli, memoryMib, gpus, model, nodes: [], vacant: [], idleMilli: 0, totalMilli: 0 });
    this.#typeByKey.set(key, this.types.length - 1);
    return this.types.length - 1;
  }

  #grow(): void {
    if (this.length <= this.cpuFree.length) return;
    const size = this.cpuFree.length * 2;
    this.cpuFree = copied(this.cpuFree, new Int32Array(size));
    this.memoryFree = copied(this.memoryFree, new Int32Array(size));
    this.idleMilli = copied(this.idleMilli, new Int32Array(size));
    this.deviceIdle = copied(this.deviceIdle, new Int16Array(size * DEVICES_MAX));
    this.gpus = copied(this.gpus, new Uint8Array(size));
    this.typeOf = copied(this.typeOf, new Int32Array(size));
    this.rank = copied(this.rank, new Int32Array(size));
    this.isOpen = copied(this.isOpen, new Uint8Array(size));
    this.version = copied(this.version, new Uint32Array(size));
  }

  #assertPresent(node: number): void {
    if (!this.#present[node]) throw new RangeError(`there is no node ${node}`);
  }
}

/** Returns `to`, which begins with the elements of `from`. */
export function copied<T extends Int32Array | Int16Array | Uint8Array | Uint32Array | Float64Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
