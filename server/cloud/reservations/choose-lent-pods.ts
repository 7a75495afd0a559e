import type { ReservationDevice } from "./reservation-rounds.sql";

interface NodeUse {
  idle: number;
  /** GPUs of spot pods by pod. */
  lent: Map<string, number>;
}

/**
 * The spot pods to reclaim so that a node of a reservation has `wanted` GPUs for its pods: none if that many are idle or
 * are being given back; otherwise on the node where the fewest GPUs have to be reclaimed. undefined if no node has enough.
 */
export function chooseLentPods(devices: readonly ReservationDevice[], wanted: number): string[] | undefined {
  const nodes = new Map<string, NodeUse>();
  for (const { node, podId, spot, status } of devices) {
    const use = nodes.get(node) ?? { idle: 0, lent: new Map<string, number>() };
    nodes.set(node, use);
    if (podId === null || status === "reclaiming") use.idle++;
    else if (spot) use.lent.set(podId, (use.lent.get(podId) ?? 0) + 1);
  }
  const choices = [...nodes.values()].flatMap((use) => victimsOn(use, wanted) ?? []);
  const [best] = choices.sort((a, b) => a.gpus - b.gpus);
  return best?.pods;
}

/** The largest pods first, so that few are reclaimed; then those that turn out not to be needed are left alone. */
function victimsOn({ idle, lent }: NodeUse, wanted: number): { pods: string[]; gpus: number } | undefined {
  const chosen: [string, number][] = [];
  let missing = wanted - idle;
  for (const victim of [...lent].sort(([, a], [, b]) => b - a)) {
    if (missing <= 0) break;
    chosen.push(victim);
    missing -= victim[1];
  }
  if (missing > 0) return undefined;
  let spare = -missing;
  const needed = chosen.filter(([, gpus]) => {
    if (gpus > spare) return true;
    spare -= gpus;
    return false;
  });
  return { pods: needed.map(([pod]) => pod), gpus: needed.reduce((sum, [, gpus]) => sum + gpus, 0) };
}
