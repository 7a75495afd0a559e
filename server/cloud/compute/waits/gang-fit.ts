import type { Ending, WaitInput } from "./expected-wait";
import type { FreeNode } from "./free-nodes";

export interface GangNode extends Omit<FreeNode, "devices"> {
  /** undefined: GPUs do not limit what it holds. */
  devices: readonly number[] | undefined;
  /** The NVLink domain that it shares with other nodes; null: it is one of its own. */
  domain: string | null;
}

export interface GangNeed {
  /** Its pods that wait. */
  members: number;
  /** By each member. */
  needed: WaitInput["needed"];
  /** Whether all members must be in one domain. */
  isSingle: boolean;
}

interface Room {
  group: string;
  devices: Set<number> | undefined;
  cpuMilli: number;
  memoryMib: number;
  members: number;
}

/** Counts how many members of a gang nodes hold while what others have becomes free. */
export class GangFit {
  readonly #rooms = new Map<string, Room>();
  /** Of each domain, or of all nodes. */
  readonly #members = new Map<string, number>();
  #most = 0;

  /** `ended` counts as free from the beginning. */
  constructor(
    free: readonly GangNode[],
    private readonly need: GangNeed,
    private readonly ended: ReadonlySet<Ending> = new Set(),
  ) {
    for (const { node, domain, devices, cpuMilli, memoryMib } of free) {
      const group = need.isSingle ? (domain ?? ` ${node}`) : "";
      const room = { group, devices: devices && new Set(devices), cpuMilli, memoryMib, members: 0 };
      this.#rooms.set(node, room);
      this.#count(room);
    }
    for (const one of ended) this.#free(one);
  }

  /** Frees what has ended. What is on other nodes, and what counted as free already, changes nothing. */
  add(ending: Ending): void {
    if (!this.ended.has(ending)) this.#free(ending);
  }

  holds(): boolean {
    return this.#most >= this.need.members;
  }

  #free({ node, devices, cpuMilli, memoryMib }: Ending): void {
    const room = this.#rooms.get(node);
    if (!room) return;
    // A device of a reservation can be among those of a run, too.
    for (const device of devices) room.devices?.add(device);
    room.cpuMilli += cpuMilli;
    room.memoryMib += memoryMib;
    this.#count(room);
  }

  #count(room: Room): void {
    const { needed } = this.need;
    const gpus = room.devices === undefined ? Number.POSITIVE_INFINITY : room.devices.size / needed.gpus;
    const count = Math.floor(Math.min(gpus, room.cpuMilli / needed.cpuMilli, room.memoryMib / needed.memoryMib));
    const sum = (this.#members.get(room.group) ?? 0) + count - room.members;
    room.members = count;
    this.#members.set(room.group, sum);
    this.#most = Math.max(this.#most, sum);
  }
}
