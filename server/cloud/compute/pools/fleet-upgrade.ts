import type { FleetUpgrade, GpuNode, Prisma } from "../../../engines/postgres/generated/client";
import { groupedBy } from "../../../kernel/grouped";
import { isOfJoinedNodes, nodesOfUpgrade } from "./upgrade-nodes.sql";

/** The upgrade of one pool as operators see it. */
export interface FleetUpgradeLine {
  id: string;
  /** `joined-nodes`: those that have joined. */
  pool: string;
  /** null: joined nodes run what is on their disk. */
  target_version: string | null;
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
  /** Joined nodes whose agents are being restarted. */
  restarting_nodes: number;
  failed_nodes: number;
  /** Those of the pool that accept no pods now, for any reason. */
  unavailable_nodes: number;
  /** true: the nodes have no software, only a version in their records; false: agents of joined nodes are restarted. */
  simulated: boolean;
  /** The tenant that upgrades nodes of its own; null: operators upgrade the pool. */
  tenant_id: string | null;
  /** The nodes that it is about; empty: all of the pool. */
  node_names: string[];
  started_at: string;
  finished_at: string | null;
}

const UPGRADES_SHOWN = 200;

type Db = Pick<Prisma.TransactionClient, "fleetUpgrade" | "gpuNode" | "$queryRaw">;

/** The lines of upgrades, the newest first. */
export async function fleetUpgradeLines(
  db: Db,
  where: Prisma.FleetUpgradeWhereInput,
  take = UPGRADES_SHOWN,
): Promise<FleetUpgradeLine[]> {
  const rows = await db.fleetUpgrade.findMany({
    where,
    orderBy: [{ startedAt: "desc" }, { id: "desc" }, { pool: "asc" }],
    take,
  });
  const nodesOf = await nodesOfUpgrades(db, rows);
  return rows.map((row) => toLine(row, nodesOf(row)));
}

interface LineNode {
  node: string;
  upgradeId: string | null;
  upgradeState: GpuNode["upgradeState"];
  isAvailable: boolean;
}

/** The nodes of each upgrade: those of its pool, or joined ones. */
async function nodesOfUpgrades(
  db: Db,
  rows: readonly FleetUpgrade[],
): Promise<(row: FleetUpgrade) => readonly LineNode[]> {
  const pools = new Set(rows.map(({ pool }) => pool));
  const nodes = await db.gpuNode.findMany({
    where: { pool: { in: [...pools].filter((pool) => !isOfJoinedNodes(pool)) } },
    select: { pool: true, node: true, upgradeId: true, upgradeState: true, cordonedAt: true },
  });
  const byPool = groupedBy(
    nodes.map((node) => ({ ...node, isAvailable: node.cordonedAt === null })),
    ({ pool }) => pool,
  );
  const joined = new Map<string, readonly LineNode[]>();
  for (const row of rows) if (isOfJoinedNodes(row.pool)) joined.set(row.pool, await lineNodes(db, row));
  return ({ pool, nodeNames }) => {
    const all = joined.get(pool) ?? byPool.get(pool) ?? [];
    return nodeNames.length === 0 ? all : all.filter(({ node }) => nodeNames.includes(node));
  };
}

const lineNodes = async (db: Db, row: FleetUpgrade): Promise<LineNode[]> =>
  (await nodesOfUpgrade(db, row)).map(({ name: node, upgradeId, upgradeState, isReporting, isCordoned }) => ({
    node,
    upgradeId,
    upgradeState,
    isAvailable: isReporting && !isCordoned && upgradeId === null,
  }));

function toLine(row: FleetUpgrade, nodes: readonly LineNode[]): FleetUpgradeLine {
  const { id, pool, strategy, state, startedAt, finishedAt } = row;
  const count = (of: LineNode["upgradeState"]) =>
    nodes.filter(({ upgradeId, upgradeState }) => upgradeId === id && upgradeState === of).length;
  return {
    id,
    pool,
    target_version: row.targetVersion,
    strategy,
    max_unavailable: row.maxUnavailable,
    wait_minutes: row.waitMinutes,
    state,
    pause_reason: row.pauseReason,
    nodes: row.nodes,
    upgraded_nodes: row.upgradedNodes,
    draining_nodes: count("emptying"),
    failed_nodes: count("failed"),
    restarting_nodes: isOfJoinedNodes(pool) ? count("upgrading") : 0,
    unavailable_nodes: nodes.filter(({ isAvailable }) => !isAvailable).length,
    simulated: !isOfJoinedNodes(pool),
    tenant_id: row.tenantId,
    node_names: row.nodeNames,
    started_at: startedAt.toISOString(),
    finished_at: finishedAt?.toISOString() ?? null,
  };
}
