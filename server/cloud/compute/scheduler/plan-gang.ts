/** A node as a gang finds it. */
export interface GangNode {
  node: string;
  /** The NVLink domain that it shares with other nodes; null: it is one of its own. */
  domain: string | null;
  /** The most pods of the gang that it could hold without the pods of others. */
  membersMax: number;
  freeGpus: number;
  /** Those of runs that are ending, or that may be ended for the gang. */
  endableGpus: number;
}

export interface WantedGang {
  members: number;
  /** Of each member. */
  gpus: number;
  /** Whether all members must be in one domain. */
  isSingle: boolean;
}

export interface GangPlan {
  places: { node: string; members: number }[];
  /** GPUs of runs that may not be ended: the gang waits for them. */
  missingGpus: number;
  /** GPUs of runs that would be ended. */
  endedGpus: number;
}

/**
 * Chooses how many members each node is to hold so that the fewest further GPUs have to become free, among equals so that
 * the fewest are taken from runs that may be ended; undefined if the pool could not hold the gang even when empty. The
 * cost of a node is convex in its members, so taking the cheapest member each time is optimal.
 */
export function planGang(nodes: readonly GangNode[], wanted: WantedGang): GangPlan | undefined {
  let best: GangPlan | undefined;
  for (const group of wanted.isSingle ? domainsOf(nodes) : [nodes]) {
    const plan = planIn(group, wanted);
    if (plan && (!best || isBetter(plan, best))) best = plan;
  }
  return best;
}

function domainsOf(nodes: readonly GangNode[]): GangNode[][] {
  const domains = new Map<string, GangNode[]>();
  for (const node of nodes) {
    const key = node.domain ?? ` ${node.node}`;
    domains.set(key, [...(domains.get(key) ?? []), node]);
  }
  return [...domains.values()];
}

type Cost = Pick<GangPlan, "missingGpus" | "endedGpus">;

const isBetter = (a: Cost, b: Cost): boolean =>
  a.missingGpus === b.missingGpus ? a.endedGpus < b.endedGpus : a.missingGpus < b.missingGpus;

function planIn(nodes: readonly GangNode[], { members, gpus }: WantedGang): GangPlan | undefined {
  const counts = new Map<GangNode, number>();
  const total: Cost = { missingGpus: 0, endedGpus: 0 };
  for (let member = 0; member < members; member++) {
    let best: { node: GangNode; cost: Cost } | undefined;
    for (const node of nodes) {
      const count = counts.get(node) ?? 0;
      if (count >= node.membersMax) continue;
      const [before, after] = [costOf(node, count * gpus), costOf(node, (count + 1) * gpus)];
      const cost = {
        missingGpus: after.missingGpus - before.missingGpus,
        endedGpus: after.endedGpus - before.endedGpus,
      };
      // Among equals a node that has members already, so that they share few nodes.
      const isShared = count > 0 && best !== undefined && !counts.has(best.node) && !isBetter(best.cost, cost);
      if (!best || isBetter(cost, best.cost) || isShared) best = { node, cost };
    }
    if (!best) return undefined;
    counts.set(best.node, (counts.get(best.node) ?? 0) + 1);
    total.missingGpus += best.cost.missingGpus;
    total.endedGpus += best.cost.endedGpus;
  }
  return { places: [...counts].map(([{ node }, count]) => ({ node, members: count })), ...total };
}

function costOf({ freeGpus, endableGpus }: GangNode, wanted: number): Cost {
  const lacking = Math.max(0, wanted - freeGpus);
  const endedGpus = Math.min(lacking, endableGpus);
  return { missingGpus: lacking - endedGpus, endedGpus };
}
