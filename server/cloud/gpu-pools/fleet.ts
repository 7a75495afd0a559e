/** The regions and GPU models of the specification ("Pod", "What the service does"). */
export const REGIONS = ["apac", "use", "euw"] as const;
export type Region = (typeof REGIONS)[number];

export const GPU_MODELS = ["h100", "h200", "b200", "b300", "gb200", "gb300", "a100", "l40s"] as const;
export type GpuModel = (typeof GPU_MODELS)[number];

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
  /** How many nodes share a rack with one NVLink domain; absent: each node is one. */
  nodesPerRack?: number;
}

/** The simulated fleet, equal in every region. The numbers of nodes are ours; an NVL72 rack has 18 trays of 4 GPUs. */
export const FLEET: Readonly<Record<GpuModel, NodeGroup>> = {
  h100: { nodes: 8, gpusPerNode: 8 },
  h200: { nodes: 4, gpusPerNode: 8 },
  b200: { nodes: 4, gpusPerNode: 8 },
  b300: { nodes: 2, gpusPerNode: 8 },
  gb200: { nodes: 18, gpusPerNode: 4, nodesPerRack: 18 },
  gb300: { nodes: 18, gpusPerNode: 4, nodesPerRack: 18 },
  a100: { nodes: 4, gpusPerNode: 8 },
  l40s: { nodes: 2, gpusPerNode: 8 },
};

export interface GpuNode {
  name: string;
  gpus: number;
}

/** The name of the pool of a model in a region, such as `apac/h100`. */
export const poolOf = (region: string, model: string): string => `${region}/${model}`;

/** The nodes of a pool, such as `h100-3` or `gb200-rack1-tray4`, in the order in which they are filled. */
export function nodesOf(model: GpuModel): GpuNode[] {
  const { nodes, gpusPerNode: gpus, nodesPerRack } = FLEET[model];
  return Array.from({ length: nodes }, (_, i) => ({ name: nodeName(model, i, nodesPerRack), gpus }));
}

const nodeName = (model: GpuModel, i: number, nodesPerRack: number | undefined): string =>
  nodesPerRack === undefined
    ? `${model}-${i + 1}`
    : `${model}-rack${Math.floor(i / nodesPerRack) + 1}-tray${(i % nodesPerRack) + 1}`;
