import type { FleetUpgrade, JoinedNode, Prisma } from "../../../engines/postgres/generated/client";
import { lockNameIn } from "../../../engines/postgres/named-lock";
import { FRESH_SECONDS, isLivePool } from "./fleet";
import type { UpgradingNode } from "./node-restart";

/** In place of the name of a pool: all nodes that have joined, with and without GPUs. */
export const ALL_JOINED_NODES = "joined-nodes";

/** Whether an upgrade restarts the agents of joined nodes. Those of a pool of GPUs are the ones that have them. */
export const isOfJoinedNodes = (pool: string): boolean => pool === ALL_JOINED_NODES || isLivePool(pool);

/** Decisions about nodes in upgrades wait for each other, in all processes; until the transaction ends. */
export const lockUpgradeNodes = (tx: Prisma.TransactionClient): Promise<void> => lockNameIn(tx, "node-upgrades");

export interface UpgradeNodeRow
  extends UpgradingNode,
    Pick<JoinedNode, "id" | "upgradeId" | "upgradeState" | "upgradedBy" | "upgradedAt"> {
  /** One of its nodes with GPUs is. */
  isCordoned: boolean;
  /** The first critical event of its GPUs since its restart, and since the upgrade was resumed. */
  critAt: Date | null;
}

/** The nodes of an upgrade by name, also those that it has in hand and that have lost their GPUs meanwhile. */
export function nodesOfUpgrade(
  tx: Pick<Prisma.TransactionClient, "$queryRaw">,
  { id, pool, startedAt, resumedAt }: Pick<FleetUpgrade, "id" | "pool" | "startedAt" | "resumedAt">,
): Promise<UpgradeNodeRow[]> {
  return tx.$queryRaw`
    SELECT n.id, n.name, n.version, n.boot_id AS "bootId", n.restart_boot_id AS "restartBootId",
      n.restart_at AS "restartAt", n.upgrade_id AS "upgradeId", n.upgrade_state::text AS "upgradeState",
      n.upgrade_begun_at AS "upgradeBegunAt", n.upgraded_by AS "upgradedBy", n.upgraded_at AS "upgradedAt",
      coalesce(m.seen_at > now() - make_interval(secs => ${FRESH_SECONDS}), false) AS "isReporting",
      EXISTS (SELECT FROM gpu_nodes g WHERE g.node_id = n.id AND g.gpus > 0 AND g.cordoned_at IS NOT NULL)
        AS "isCordoned",
      (SELECT min(e.at) FROM gpu_nodes g JOIN gpu_node_events e ON e.pool = g.pool AND e.node = g.node
        WHERE g.node_id = n.id AND e.severity = 'crit' AND e.at >= n.upgraded_at
          AND e.at > ${resumedAt ?? startedAt}) AS "critAt"
    FROM joined_nodes n LEFT JOIN pod_nodes m ON m.id = n.id
    WHERE ${pool} = ${ALL_JOINED_NODES} OR n.upgrade_id = ${id} OR n.id IN (SELECT node_id FROM gpu_nodes WHERE pool = ${pool} AND gpus > 0)
    ORDER BY n.name`;
}

/** How many nodes a new upgrade has, and how many of them run its version already. */
export async function countUpgradeNodes(
  tx: Pick<Prisma.TransactionClient, "$queryRaw">,
  { targetVersion, ...upgrade }: Pick<FleetUpgrade, "id" | "pool" | "startedAt" | "targetVersion">,
): Promise<{ nodes: number; upgradedNodes: number }> {
  const nodes = await nodesOfUpgrade(tx, { ...upgrade, resumedAt: null });
  return {
    nodes: nodes.length,
    upgradedNodes: nodes.filter(({ version }) => version === targetVersion).length,
  };
}
