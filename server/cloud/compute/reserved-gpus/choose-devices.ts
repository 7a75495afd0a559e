export interface PoolNode {
  name: string;
  /** Its devices are numbered from 0. */
  gpus: number;
  /** The NVLink domain that it shares with other nodes; absent: it is one of its own. */
  domain?: string | undefined;
}

export interface PoolUse {
  nodes: readonly PoolNode[];
  /** The devices that cannot be chosen: those of on-demand pods and of other reservations. */
  taken: ReadonlyMap<string, ReadonlySet<number>>;
  /** The devices that spot pods have; the others are chosen first. */
  lent: ReadonlyMap<string, ReadonlySet<number>>;
}

export interface Device {
  node: string;
  device: number;
}

interface Candidate {
  node: string;
  domain: string;
  /** Those without a spot pod first, then ascending. */
  devices: number[];
  lent: number;
}

/**
 * Chooses the devices of a reservation, fewer than `count` only if the pool has no more: within one NVLink domain if one
 * has enough (the one with the least), whole nodes first, and the rest on the node with the least that has enough. Among
 * equals those with the fewest spot pods.
 */
export function chooseDevices(use: PoolUse, count: number): Device[] {
  const chosen: Device[] = [];
  for (const nodes of inOrder(domainsOf(use), count)) {
    chosen.push(...takeFrom(nodes, count - chosen.length));
  }
  return chosen;
}

/** Without domains the whole pool is one. */
const POOL = "";

function candidates({ nodes, taken, lent }: PoolUse): Candidate[] {
  return nodes.map(({ name: node, gpus, domain = POOL }) => {
    const free = Array.from({ length: gpus }, (_, device) => device).filter((device) => !taken.get(node)?.has(device));
    const [busy, idle] = [true, false].map((isLent) =>
      free.filter((device) => (lent.get(node)?.has(device) ?? false) === isLent),
    ) as [number[], number[]];
    return { node, domain, devices: [...idle, ...busy], lent: busy.length };
  });
}

function domainsOf(use: PoolUse): Candidate[][] {
  const domains = new Map<string, Candidate[]>();
  for (const node of candidates(use)) domains.set(node.domain, [...(domains.get(node.domain) ?? []), node]);
  return [...domains.values()];
}

const sizeOf = (nodes: readonly Candidate[]): number => nodes.reduce((sum, { devices }) => sum + devices.length, 0);

/** The smallest domain that has enough, or else the largest first, so that few are needed. */
function inOrder(domains: Candidate[][], count: number): Candidate[][] {
  const fitting = domains.filter((nodes) => sizeOf(nodes) >= count).sort((a, b) => sizeOf(a) - sizeOf(b));
  return fitting.length > 0 ? fitting.slice(0, 1) : domains.sort((a, b) => sizeOf(b) - sizeOf(a));
}

function takeFrom(nodes: Candidate[], count: number): Device[] {
  const left = nodes.filter(({ devices }) => devices.length > 0);
  const chosen: Device[] = [];
  while (chosen.length < count && left.length > 0) {
    const wanted = count - chosen.length;
    const best = left.reduce((a, b) => (isBetter(b, a, wanted) ? b : a));
    left.splice(left.indexOf(best), 1);
    for (const device of best.devices.slice(0, wanted)) chosen.push({ node: best.node, device });
  }
  return chosen;
}

/** Whether `a` is a better node than `b` for what is left of a reservation. */
function isBetter(a: Candidate, b: Candidate, wanted: number): boolean {
  const [fits, fitsB] = [a.devices.length >= wanted, b.devices.length >= wanted];
  if (fits !== fitsB) return fits;
  if (a.devices.length !== b.devices.length) return a.devices.length < b.devices.length === fits;
  return a.lent < b.lent;
}
