import type { GpuModel } from "../../core/prices/gpu-models";

/** A node that has not reported for so long is not given pods. */
export const FRESH_SECONDS = 20;

/** The specification's other spellings; where it leaves a choice, the first model. */
export const GPU_ALIASES: Readonly<Record<string, GpuModel>> = {
  "gb200 NVL72": "gb200",
  "gb300 NVL72": "gb300",
  "gb200/gb300 NVL72": "gb200",
};

interface NodeGroup {
  /** How many nodes each region has. */
  nodes: number;
  gpusPerNode: number;
  /** Of a node. */
  cores: number;
  memoryGib: number;
  /** How many nodes share a rack with one NVLink domain; absent: each node is one. */
  nodesPerRack?: number;
}

/**
 * The simulated fleet, equal in every region. The numbers of nodes are ours, and so are cores and memory: those of
 * usual nodes with these GPUs (8 GPUs with 96 or 192 cores; a tray of two Grace CPUs with 4 GPUs). An NVL72 rack has
 * 18 trays.
 */
export const FLEET: Readonly<Record<GpuModel, NodeGroup>> = {
  h100: { nodes: 8, gpusPerNode: 8, cores: 192, memoryGib: 2048 },
  h200: { nodes: 4, gpusPerNode: 8, cores: 192, memoryGib: 2048 },
  b200: { nodes: 4, gpusPerNode: 8, cores: 192, memoryGib: 2048 },
  b300: { nodes: 2, gpusPerNode: 8, cores: 192, memoryGib: 4096 },
  gb200: { nodes: 18, gpusPerNode: 4, cores: 144, memoryGib: 960, nodesPerRack: 18 },
  gb300: { nodes: 18, gpusPerNode: 4, cores: 144, memoryGib: 960, nodesPerRack: 18 },
  a100: { nodes: 4, gpusPerNode: 8, cores: 96, memoryGib: 1152 },
  l40s: { nodes: 2, gpusPerNode: 8, cores: 192, memoryGib: 1536 },
};

/** The software version of simulated nodes that were never upgraded: the version of svc that first had one. */
export const NODE_VERSION = "0.1.0";

const MILLI_PER_CORE = 1000;
const MIB_PER_GIB = 1024;

interface GpuNode {
  name: string;
  gpus: number;
  cpuMilli: number;
  memoryMib: number;
  /** The NVLink domain that it shares with other nodes of the pool. */
  domain: string | null;
}

/** Ends the name of a pool with real GPUs; the others are simulated. */
const LIVE = "/live";

/**
 * The name of the pool of a model in a region: `apac/h100` has the simulated GPUs, for pods of test keys, and
 * `apac/h100/live` real ones, for pods of live keys.
 */
export const poolOf = (region: string, model: string, mode: "test" | "live" = "test"): string =>
  `${region}/${model}${mode === "live" ? LIVE : ""}`;

export const isLivePool = (pool: string): boolean => pool.endsWith(LIVE);

/** The nodes of a pool, such as `h100-3` or `gb200-rack1-tray4`. */
export function nodesOf(model: GpuModel): GpuNode[] {
  const { nodes, gpusPerNode: gpus, cores, memoryGib, nodesPerRack } = FLEET[model];
  const spec = { gpus, cpuMilli: cores * MILLI_PER_CORE, memoryMib: memoryGib * MIB_PER_GIB };
  return Array.from({ length: nodes }, (_, i) => ({ ...nameOf(model, i, nodesPerRack), ...spec }));
}

/** The simulated nodes of a pool by its name. */
export const nodesOfPool = (pool: string): GpuNode[] => (isLivePool(pool) ? [] : nodesOf(modelOfPool(pool)));

export const modelOfPool = (pool: string): GpuModel => pool.split("/")[1] as GpuModel;

function nameOf(model: GpuModel, i: number, nodesPerRack: number | undefined): Pick<GpuNode, "name" | "domain"> {
  if (nodesPerRack === undefined) return { name: `${model}-${i + 1}`, domain: null };
  const domain = `${model}-rack${Math.floor(i / nodesPerRack) + 1}`;
  return { name: `${domain}-tray${(i % nodesPerRack) + 1}`, domain };
}
