import type { Nomination } from "../pools/nominations.sql";
import type { NodeRow } from "../pools/pools.sql";

/** What a pod can have of one node. */
export interface FreeNode {
  node: string;
  devices: number[];
  cpuMilli: number;
  memoryMib: number;
}

interface Limits {
  /** What is kept for other runs. */
  kept: readonly Nomination[];
  /** false: a reservation keeps the device from the pod. */
  isUsable: (node: string, device: number) => boolean;
}

/** What a pod can have of the nodes that accept pods, beside what is kept for others. Changes nothing. */
export const freeNodes = (rows: readonly NodeRow[], limits: Limits): FreeNode[] =>
  rows.filter(({ isCordoned }) => !isCordoned).map((row) => freeOn(row, limits));

function freeOn(row: NodeRow, { kept: all, isUsable }: Limits): FreeNode {
  const kept = all.filter(({ node }) => node === row.node);
  const taken = new Set([...row.heldDevices, ...kept.flatMap(({ devices }) => devices)]);
  const sum = (of: "cpuMilli" | "memoryMib") => kept.reduce((total, one) => total + one[of], 0);
  return {
    node: row.node,
    devices: Array.from({ length: row.gpus }, (_, i) => i).filter((i) => !taken.has(i) && isUsable(row.node, i)),
    cpuMilli: Math.max(0, row.cpuMilli - row.heldCpuMilli - sum("cpuMilli")),
    memoryMib: Math.max(0, row.memoryMib - row.heldMemoryMib - sum("memoryMib")),
  };
}
