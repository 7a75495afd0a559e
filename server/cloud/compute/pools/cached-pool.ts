import { type Allocation, GPU_MILLI, type GpuRequest, type NodeSpec } from "../scheduler/gpu-request";
import { PoolScheduler } from "../scheduler/pool-scheduler";
import { blockedText, gangBlockedText } from "./blocked-text";
import type { NodeRow } from "./pools.sql";

interface Placed {
  node: string;
  devices: readonly number[];
}

/** What others alone may use: what is kept for another run, or reserved. */
export interface Kept extends Placed {
  cpuMilli: number;
  memoryMib: number;
}

interface PlaceOptions {
  /** Counts the request as demand. */
  isNew: boolean;
  kept: readonly Kept[];
}

interface GangOptions {
  members: number;
  /** Whether all members must be in one NVLink domain. */
  isSingle: boolean;
  kept: readonly Kept[];
}

interface NodeRoom {
  node: string;
  freeDevices: number[];
  freeCpuMilli: number;
  freeMemoryMib: number;
  /** The node when it is idle. */
  size: NodeSpec;
}

interface CachedNode {
  index: number;
  spec: NodeSpec;
  version: bigint;
  isUpgrading: boolean;
  /** What is occupied on it: as it was read, and what was decided since. */
  allocations: Allocation[];
}

/**
 * A scheduler with the nodes of a pool as they are in the database. A decision changes it at once; whether the decision
 * is committed is unknown here, so the nodes that it `touched` are read again before the next one.
 */
export class CachedPool {
  readonly scheduler = new PoolScheduler();
  readonly #nodes = new Map<string, CachedNode>();
  readonly #names: string[] = [];
  readonly #touched = new Set<string>();
  /** The version of the pool up to which changes were applied. */
  version = 0n;

  get touched(): string[] {
    return [...this.#touched];
  }

  /** Applies what `changedNodes` returned for `touched` and the version before. */
  apply(rows: readonly NodeRow[], version: bigint): void {
    for (const row of rows) this.#applyNode(row);
    if (version > this.version) this.version = version;
  }

  /** The best node and devices for a request, beside what is kept for others, or why it does not fit. */
  place(request: GpuRequest, { isNew, kept }: PlaceOptions): Placed | { blocked: string } {
    const blocks = kept.flatMap((one) => this.#block(one) ?? []);
    try {
      const placed = isNew ? this.scheduler.place(request) : this.scheduler.retry(request);
      if (!placed) return { blocked: blockedText(request, this.scheduler) + this.#upgradeText() };
      return this.#occupied(placed);
    } finally {
      for (const block of blocks) this.scheduler.release(block);
    }
  }

  /** Nodes and devices for all members of a gang, beside what is kept for others, or why they do not fit together. */
  placeGang(request: GpuRequest, { kept, ...gang }: GangOptions): Placed[] | { blocked: string } {
    const blocks = kept.flatMap((one) => this.#block(one) ?? []);
    try {
      const placed = this.scheduler.placeGang(request, gang);
      if (!placed) return { blocked: gangBlockedText(request, gang, this.scheduler) + this.#upgradeText() };
      return placed.map((one) => this.#occupied(one));
    } finally {
      for (const block of blocks) this.scheduler.release(block);
    }
  }

  /** The index of a node in the scheduler's table. */
  indexOf(name: string): number | undefined {
    return this.#nodes.get(name)?.index;
  }

  /** The nodes that accept pods. */
  sizes(): { name: string; gpus: number }[] {
    const { table } = this.scheduler;
    const open = [...this.#nodes].filter(([, { index }]) => table.isOpen[index] !== 0);
    return open.map(([name, { spec }]) => ({ name, gpus: spec.gpus }));
  }

  /** What is free on the nodes that accept pods. */
  room(): NodeRoom[] {
    return [...this.#nodes.keys()].flatMap((name) => this.roomOn(name) ?? []);
  }

  /** What is free on a node; undefined if it accepts no pods. */
  roomOn(name: string): NodeRoom | undefined {
    const { table } = this.scheduler;
    const known = this.#nodes.get(name);
    if (!known || table.isOpen[known.index] === 0) return undefined;
    const { index, spec: size } = known;
    const devices = Array.from({ length: table.gpus[index] as number }, (_, device) => device);
    return {
      node: name,
      freeDevices: devices.filter((device) => table.deviceIdleOf(index, device) === GPU_MILLI),
      freeCpuMilli: table.cpuFree[index] as number,
      freeMemoryMib: table.memoryFree[index] as number,
      size,
    };
  }

  /** A further sentence about nodes that fleet upgrades have closed. */
  #upgradeText(): string {
    const count = [...this.#nodes.values()].filter(({ isUpgrading }) => isUpgrading).length;
    if (count === 0) return "";
    return ` ${count === 1 ? "1 node of this pool is" : `${count} nodes of this pool are`} being upgraded.`;
  }

  /** Occupies what is free of something that is kept. */
  #block({ node, devices, cpuMilli, memoryMib }: Kept): Allocation | undefined {
    const index = this.indexOf(node);
    if (index === undefined) return undefined;
    const { table } = this.scheduler;
    const idle = devices.filter((device) => table.deviceIdleOf(index, device) === GPU_MILLI);
    const request = {
      cpuMilli: Math.min(cpuMilli, table.cpuFree[index] as number),
      memoryMib: Math.min(memoryMib, table.memoryFree[index] as number),
      gpus: idle.length,
      gpuMilli: idle.length > 0 ? GPU_MILLI : 0,
      models: [],
    };
    return this.scheduler.restore(index, request, idle);
  }

  #occupied(allocation: Allocation): Placed {
    const name = this.#names[allocation.node] as string;
    this.#touched.add(name);
    this.#nodes.get(name)?.allocations.push(allocation);
    return { node: name, devices: allocation.devices };
  }

  #applyNode(row: NodeRow): void {
    const known = this.#nodes.get(row.node);
    // A transaction that was rolled back meanwhile can be late with what it has read.
    if (known && known.version > row.version) return;
    const spec = specOf(row);
    const node = known && isSame(known.spec, spec) ? known : this.#replaced(row.node, known, spec);
    for (const allocation of node.allocations) this.scheduler.release(allocation);
    node.allocations = [this.scheduler.restore(node.index, heldOf(row), devicesOf(row))];
    node.version = row.version;
    node.isUpgrading = row.isUpgrading;
    this.scheduler.setCordoned(node.index, row.isCordoned);
    this.#touched.delete(row.node);
  }

  #replaced(name: string, known: CachedNode | undefined, spec: NodeSpec): CachedNode {
    if (known) this.scheduler.removeNode(known.index);
    const index = this.scheduler.addNode(spec);
    const node = { index, spec, version: 0n, isUpgrading: false, allocations: [] };
    this.#names[index] = name;
    this.#nodes.set(name, node);
    return node;
  }
}

const specOf = ({ cpuMilli, memoryMib, gpus, model, domain }: NodeRow): NodeSpec => ({
  cpuMilli,
  memoryMib,
  gpus,
  model,
  ...(domain !== null && { domain }),
});

const isSame = (a: NodeSpec, b: NodeSpec): boolean =>
  a.cpuMilli === b.cpuMilli &&
  a.memoryMib === b.memoryMib &&
  a.gpus === b.gpus &&
  a.model === b.model &&
  a.domain === b.domain;

const devicesOf = ({ heldDevices, gpus }: NodeRow): number[] => heldDevices.filter((device) => device < gpus);

/** What all runs on a node hold, as one request. Runs from before a node was made smaller may hold more than it has. */
function heldOf(row: NodeRow): GpuRequest {
  const gpus = devicesOf(row).length;
  return {
    cpuMilli: Math.min(row.heldCpuMilli, row.cpuMilli),
    memoryMib: Math.min(row.heldMemoryMib, row.memoryMib),
    gpus,
    gpuMilli: gpus > 0 ? GPU_MILLI : 0,
    models: [],
  };
}
