import type { GpuNode } from "./fleet";

/** A pool at one moment: its nodes in the order in which they are filled, and the devices that are in use on each. */
export interface PoolState {
  nodes: readonly GpuNode[];
  used: ReadonlyMap<string, ReadonlySet<number>>;
}

export type GpuPlacement = { node: string; devices: number[] } | { blocked: string };

/**
 * Places GPUs on one node: the fullest that has enough left (best fit), the first among equals, and on it the lowest
 * device numbers. If none has enough, says what is in the way.
 */
export function placeGpus({ nodes, used }: PoolState, count: number): GpuPlacement {
  let best: { node: GpuNode; free: number[] } | undefined;
  let freeInAll = 0;
  let mostFree = 0;
  for (const node of nodes) {
    const free = freeDevices(node, used.get(node.name));
    freeInAll += free.length;
    mostFree = Math.max(mostFree, free.length);
    if (free.length >= count && (!best || free.length < best.free.length)) best = { node, free };
  }
  if (best) return { node: best.node.name, devices: best.free.slice(0, count) };
  return { blocked: blockedText(count, { freeInAll, mostFree, nodes: nodes.length }) };
}

const freeDevices = ({ gpus }: GpuNode, used: ReadonlySet<number> = new Set()): number[] =>
  Array.from({ length: gpus }, (_, device) => device).filter((device) => !used.has(device));

interface Free {
  freeInAll: number;
  mostFree: number;
  nodes: number;
}

function blockedText(count: number, { freeInAll, mostFree, nodes }: Free): string {
  if (freeInAll === 0) return `All GPUs of the ${nodes} nodes of this pool are in use.`;
  return `No node of this pool has ${count} free GPUs: ${freeInAll} are free on ${nodes} nodes, at most ${mostFree} on one.`;
}
