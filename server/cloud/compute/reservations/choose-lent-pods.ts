import type { ReservationDevice } from "./reservation-rounds.sql";

interface Lent {
  /** On this node. */
  gpus: number;
  /** GPUs that end with it, those of its gang included. */
  endedGpus: number;
}

interface NodeUse {
  idle: number;
  /** What spot pods have, by pod. */
  lent: Map<string, Lent>;
}

/** What waits in a reservation: so many pods that are placed together, each with so many GPUs of one node. */
export interface WantedPods {
  gpus: number;
  pods: number;
}

/**
 * The spot pods to reclaim so that nodes of a reservation have the GPUs for pods of it: none if they are idle or are being
 * given back; otherwise, for one pod after another, on the node where the fewest GPUs have to be reclaimed. undefined if
 * the nodes do not have enough.
 */
export function chooseLentPods(devices: readonly ReservationDevice[], wanted: WantedPods): string[] | undefined {
  const nodes = usesOf(devices);
  const victims = new Set<string>();
  for (let pod = 0; pod < wanted.pods; pod++) {
    const choices = [...nodes.values()].flatMap((use) => victimsOn(use, wanted.gpus) ?? []);
    const [best] = choices.sort((a, b) => a.endedGpus - b.endedGpus);
    if (!best) return undefined;
    for (const victim of best.pods) {
      victims.add(victim);
      // It may have GPUs of one node only.
      best.use.idle += best.use.lent.get(victim)?.gpus ?? 0;
      best.use.lent.delete(victim);
    }
    best.use.idle -= wanted.gpus;
  }
  return [...victims];
}

function usesOf(devices: readonly ReservationDevice[]): Map<string, NodeUse> {
  const nodes = new Map<string, NodeUse>();
  for (const { node, podId, spot, status, gangGpus } of devices) {
    const use = nodes.get(node) ?? { idle: 0, lent: new Map<string, Lent>() };
    nodes.set(node, use);
    if (podId === null || status === "reclaiming") use.idle++;
    else if (spot) {
      const gpus = (use.lent.get(podId)?.gpus ?? 0) + 1;
      use.lent.set(podId, { gpus, endedGpus: Math.max(gpus, gangGpus ?? 0) });
    }
  }
  return nodes;
}

/** The largest pods first, so that few are reclaimed; then those that turn out not to be needed are left alone. */
function victimsOn(use: NodeUse, wanted: number): { use: NodeUse; pods: string[]; endedGpus: number } | undefined {
  const chosen: [string, Lent][] = [];
  let missing = wanted - use.idle;
  for (const victim of [...use.lent].sort(([, a], [, b]) => b.gpus - a.gpus)) {
    if (missing <= 0) break;
    chosen.push(victim);
    missing -= victim[1].gpus;
  }
  if (missing > 0) return undefined;
  let spare = -missing;
  const needed = chosen.filter(([, { gpus }]) => {
    if (gpus > spare) return true;
    spare -= gpus;
    return false;
  });
  return {
    use,
    pods: needed.map(([pod]) => pod),
    endedGpus: needed.reduce((sum, [, lent]) => sum + lent.endedGpus, 0),
  };
}
