import type { Outputs } from "../../../trpc/client";

export type Pool = Outputs["listGpuPools"]["data"][number];
export type PoolPicture = Outputs["getGpuPool"];
export type PoolNode = PoolPicture["node_list"][number];
export type PoolDevice = PoolNode["devices"][number];

/** "Pool use/h100". */
export const poolName = ({ gpu, region }: Pick<Pool, "gpu" | "region">): string => `Pool ${region}/${gpu}`;

/** How much of the free capacity pods that need a whole node cannot use, 0 to 1; null without free GPUs. */
export const fragmentation = ({ free_gpus, scattered_gpus }: Pool): number | null =>
  free_gpus === 0 ? null : scattered_gpus / free_gpus;

/** Those whose GPUs pods of a mode get; in live mode the simulated ones if no node has GPUs. */
export function poolsOfMode(pools: readonly Pool[], mode: "test" | "live"): Pool[] {
  const real = mode === "live" ? pools.filter(({ simulated }) => !simulated) : [];
  return real.length > 0 ? real : pools.filter(({ simulated }) => simulated);
}

export const usedShare = ({ used_gpus, gpus }: Pool): number | null => (gpus === 0 ? null : used_gpus / gpus);

interface Rack {
  /** The NVLink domain; null: each node is one of its own. */
  domain: string | null;
  nodes: PoolNode[];
}

/** Nodes by NVLink domain, in the order of the nodes. */
export function racksOf(nodes: readonly PoolNode[]): Rack[] {
  const racks: Rack[] = [];
  for (const node of nodes) {
    const rack = racks.find(({ domain }) => domain === node.domain);
    if (rack) rack.nodes.push(node);
    else racks.push({ domain: node.domain, nodes: [node] });
  }
  return racks;
}

/** "h100-1: 3 of 8 GPUs in use, 1 of them by your pods". */
export function nodeText({ name, devices, accepts_pods }: PoolNode): string {
  const used = devices.filter(({ use }) => use === "own" || use === "other");
  const own = used.filter(({ use }) => use === "own").length;
  const notes = [own > 0 && `${own} of them by your pods`, !accepts_pods && "accepts no pods"].filter(Boolean);
  return [`${name}: ${used.length} of ${devices.length} GPUs in use`, ...notes].join(", ");
}

/** "Upgrade to 1.2.0: 3 of 8 nodes, rolling, at most 2 at a time". */
export function upgradeText({
  state,
  strategy,
  target_version,
  ...upgrade
}: NonNullable<PoolPicture["upgrade"]>): string {
  const progress = `${upgrade.upgraded_nodes} of ${upgrade.nodes} nodes`;
  const how = strategy === "rolling" ? "rolling" : "blue-green";
  const paused = state === "paused" ? ", paused" : "";
  const what = target_version === null ? "Restart of agents" : `Upgrade to ${target_version}`;
  return `${what}: ${progress}, ${how}, at most ${upgrade.max_unavailable} at a time${paused}`;
}

/** "GPUs are kept for the gang llama, as they become free: 8 on h100-1, 4 on h100-2; 3 are still in use". */
export function gangKeepText({ gang, nodes, missing_gpus }: NonNullable<PoolPicture["gang_keep"]>): string {
  const where = nodes.map(({ name, gpus }) => `${gpus} on ${name}`).join(", ");
  const left = missing_gpus === 1 ? "1 is still in use" : `${missing_gpus} are still in use`;
  return `GPUs are kept for ${gang === null ? "a gang" : `the gang ${gang}`}, as they become free: ${where}; ${left}`;
}
