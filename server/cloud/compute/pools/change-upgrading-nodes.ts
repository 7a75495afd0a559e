import type { GpuNode, Prisma } from "../../../engines/postgres/generated/client";
import { OPEN } from "./change-node";

/**
 * Changes nodes of a locked pool as `change` returns, and raises their version and that of the pool, so that the next
 * decision of every process sees it. Returns how many were changed.
 */
export async function changeUpgradingNodes(
  tx: Prisma.TransactionClient,
  pool: string,
  change: (node: GpuNode) => Partial<GpuNode> | undefined,
): Promise<number> {
  const nodes = await tx.gpuNode.findMany({ where: { pool } });
  const changes = nodes.flatMap((node) => {
    const data = change(node);
    return data ? [{ node: node.node, data }] : [];
  });
  if (changes.length === 0) return 0;
  const { version } = await tx.gpuPool.update({ where: { pool }, data: { version: { increment: 1 } } });
  for (const { node, data } of changes)
    await tx.gpuNode.update({ where: { pool_node: { pool, node } }, data: { ...data, version } });
  return changes.length;
}

/** The upgrade is through with a node; what cordons it stays. */
export const endUpgradeOf = { upgradeId: null, upgradeState: null, upgradeBegunAt: null } as const;

/** A cordon of an operator, or of health events, stays. */
export const openAfterUpgrade = ({ cordonSource }: GpuNode): Partial<GpuNode> => ({
  ...(cordonSource === "upgrade" && OPEN),
  ...endUpgradeOf,
});
