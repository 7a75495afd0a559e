import { GPU_MILLI, type GpuRequest } from "./gpu-request";
import { wholeDevices } from "./node-potential";
import type { NodeTable, NodeType } from "./node-table";
import { allowsModel, isShared } from "./shape-table";

/** A domain and how many members of a gang fit into it. */
interface DomainRoom {
  nodes: number[];
  members: number;
}

/**
 * The nodes for the members of a gang, one entry per member: of the single domain with the least room that holds all of
 * them, else of the fewest domains; undefined if they do not fit, or only in several domains and `isSingle` is set.
 */
export function gangNodes(table: NodeTable, request: GpuRequest, gang: GangSize): number[] | undefined {
  const rooms = domainRooms(table, request);
  const single = smallestThatHolds(rooms, gang.members);
  if (single) return filled(table, request, { rooms: [single], members: gang.members });
  if (gang.isSingle) return undefined;
  const chosen: DomainRoom[] = [];
  let left = gang.members;
  for (const room of rooms.sort((a, b) => b.members - a.members)) {
    const last = smallestThatHolds(rooms.slice(chosen.length), left);
    chosen.push(last ?? room);
    left -= (last ?? room).members;
    if (left <= 0) return filled(table, request, { rooms: chosen, members: gang.members });
  }
  return undefined;
}

/** How many members fit at once: in all, and in the domain with the most room. */
export function gangRoom(table: NodeTable, request: GpuRequest): { all: number; largest: number } {
  const members = domainRooms(table, request).map((room) => room.members);
  return { all: members.reduce((sum, count) => sum + count, 0), largest: Math.max(0, ...members) };
}

export interface GangSize {
  members: number;
  /** Whether all members must be in one domain. */
  isSingle: boolean;
}

/** How many requests of a kind fit on a node at once. */
export function roomOnNode(table: NodeTable, request: GpuRequest, node: number): number {
  const type = table.types[table.typeOf[node] as number] as NodeType;
  if (table.isOpen[node] === 0 || !allowsModel(request, type)) return 0;
  const cpu = request.cpuMilli > 0 ? Math.floor((table.cpuFree[node] as number) / request.cpuMilli) : Infinity;
  const memory = request.memoryMib > 0 ? Math.floor((table.memoryFree[node] as number) / request.memoryMib) : Infinity;
  return Math.min(cpu, memory, roomOnDevices(table, request, node));
}

function roomOnDevices(table: NodeTable, request: GpuRequest, node: number): number {
  if (request.gpus === 0) return GPU_MILLI;
  if (!isShared(request)) return Math.floor(wholeDevices(table, node) / request.gpus);
  let room = 0;
  for (let device = 0; device < (table.gpus[node] as number); device++) {
    room += Math.floor(table.deviceIdleOf(node, device) / request.gpuMilli);
  }
  return room;
}

function domainRooms(table: NodeTable, request: GpuRequest): DomainRoom[] {
  const byDomain = new Map<string | number, DomainRoom>();
  for (let node = 0; node < table.length; node++) {
    const members = roomOnNode(table, request, node);
    if (members === 0) continue;
    const domain = table.domains[node] ?? node;
    const room = byDomain.get(domain) ?? { nodes: [], members: 0 };
    room.nodes.push(node);
    room.members += members;
    byDomain.set(domain, room);
  }
  return [...byDomain.values()];
}

function smallestThatHolds(rooms: readonly DomainRoom[], members: number): DomainRoom | undefined {
  let smallest: DomainRoom | undefined;
  for (const room of rooms) {
    if (room.members >= members && (!smallest || room.members < smallest.members)) smallest = room;
  }
  return smallest;
}

interface Filling {
  rooms: readonly DomainRoom[];
  members: number;
}

/** Fills the nodes with the most room first, so that members share as few nodes as possible. */
function filled(table: NodeTable, request: GpuRequest, { rooms, members }: Filling): number[] {
  const nodes: number[] = [];
  for (const room of rooms) {
    const ordered = room.nodes
      .map((node) => ({ node, count: roomOnNode(table, request, node) }))
      .sort((a, b) => b.count - a.count);
    for (const { node, count } of ordered) {
      for (let i = 0; i < count && nodes.length < members; i++) nodes.push(node);
    }
  }
  return nodes;
}
