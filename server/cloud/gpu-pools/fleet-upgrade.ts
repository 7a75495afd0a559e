import type { FleetUpgrade, Prisma } from "../../engines/postgres/generated/client";

/** The upgrade of one pool as operators see it. */
export interface FleetUpgradeLine {
  id: string;
  pool: string;
  target_version: string;
  strategy: "rolling" | "blue_green";
  max_unavailable: number;
  wait_minutes: number;
  state: "running" | "paused" | "completed" | "cancelled";
  /** null: it is not paused. */
  pause_reason: string | null;
  /** Of the pool, when it began. */
  nodes: number;
  upgraded_nodes: number;
  /** Those that it has cordoned, or taken in hand, until pods have left them. */
  draining_nodes: number;
  failed_nodes: number;
  /** Those of the pool that accept no pods now, for any reason. */
  unavailable_nodes: number;
  /** true: the nodes have no software, only a version in their records. */
  simulated: boolean;
  started_at: string;
  finished_at: string | null;
}

const UPGRADES_SHOWN = 200;

/** The lines of upgrades, the newest first, at most 200. */
export async function fleetUpgradeLines(
  db: Pick<Prisma.TransactionClient, "fleetUpgrade" | "gpuNode">,
  where: Prisma.FleetUpgradeWhereInput,
): Promise<FleetUpgradeLine[]> {
  const rows = await db.fleetUpgrade.findMany({
    where,
    orderBy: [{ startedAt: "desc" }, { id: "desc" }, { pool: "asc" }],
    take: UPGRADES_SHOWN,
  });
  const pools = [...new Set(rows.map(({ pool }) => pool))];
  const nodes = await db.gpuNode.findMany({
    where: { pool: { in: pools } },
    select: { pool: true, upgradeId: true, upgradeState: true, cordonedAt: true, simulated: true },
  });
  return rows.map((row) =>
    toLine(
      row,
      nodes.filter(({ pool }) => pool === row.pool),
    ),
  );
}

type LineNode = Prisma.GpuNodeGetPayload<{
  select: { pool: true; upgradeId: true; upgradeState: true; cordonedAt: true; simulated: true };
}>;

function toLine(row: FleetUpgrade, nodes: readonly LineNode[]): FleetUpgradeLine {
  const { id, pool, strategy, state, startedAt, finishedAt } = row;
  const count = (of: LineNode["upgradeState"]) =>
    nodes.filter(({ upgradeId, upgradeState }) => upgradeId === id && upgradeState === of).length;
  return {
    ...{ id, pool, target_version: row.targetVersion, strategy },
    ...{ max_unavailable: row.maxUnavailable, wait_minutes: row.waitMinutes, state, pause_reason: row.pauseReason },
    ...{ nodes: row.nodes, upgraded_nodes: row.upgradedNodes },
    ...{ draining_nodes: count("emptying"), failed_nodes: count("failed") },
    unavailable_nodes: nodes.filter(({ cordonedAt }) => cordonedAt !== null).length,
    simulated: nodes.every(({ simulated }) => simulated),
    ...{ started_at: startedAt.toISOString(), finished_at: finishedAt?.toISOString() ?? null },
  };
}
