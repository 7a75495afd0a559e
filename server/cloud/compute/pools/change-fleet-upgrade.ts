import { z } from "zod";
import type {
  FleetUpgrade,
  GpuNode,
  NodeUpgradeState,
  Prisma,
  PrismaClient,
} from "../../../engines/postgres/generated/client";
import { notFound, ServiceError } from "../../../kernel/errors";
import { POOLS } from "./change-node";
import { changeUpgradingNodes } from "./change-upgrading-nodes";
import { type FleetUpgradeLine, fleetUpgradeLines } from "./fleet-upgrade";
import { lockPool } from "./pools.sql";
import { isOfJoinedNodes, lockUpgradeNodes } from "./upgrade-nodes.sql";

export const FleetUpgradeId = z.strictObject({ id: z.string() });

interface Change {
  /** Completes "is <state> and cannot be …". */
  verb: string;
  /** The states in which it applies. */
  from: readonly FleetUpgrade["state"][];
  data: Prisma.FleetUpgradeUpdateInput;
  /** What it changes of the nodes that the upgrade has in hand. */
  ofNode?: (node: GpuNode) => Partial<GpuNode> | undefined;
  /** The same of joined nodes. */
  ofJoinedNode?: { in: NodeUpgradeState[]; data: Prisma.JoinedNodeUncheckedUpdateManyInput };
}

/**
 * Changes the upgrade of each of its pools to which that applies, in one transaction that locks them. Throws `not_found`, and
 * `conflict` if it applies to none.
 */
export async function changeFleetUpgrade(
  { db }: { db: PrismaClient },
  { id }: z.output<typeof FleetUpgradeId>,
  { verb, from, data, ofNode = () => undefined, ofJoinedNode }: Change,
): Promise<FleetUpgradeLine[]> {
  const rows = await db.fleetUpgrade.findMany({ where: { id }, select: { pool: true } });
  if (rows.length === 0) throw notFound("upgrade", id.slice(0, 80));
  return db.$transaction(async (tx) => {
    const pools = new Set(rows.map(({ pool }) => pool));
    for (const pool of POOLS) if (pools.has(pool)) await lockPool(tx, pool);
    await lockUpgradeNodes(tx);
    const found = await tx.fleetUpgrade.findMany({ where: { id } });
    const due = found.filter(({ state }) => from.includes(state));
    if (due.length === 0) {
      const states = [...new Set(found.map(({ state }) => state))].join(" or ");
      throw new ServiceError("conflict", `The upgrade ${id} is ${states} and cannot be ${verb}.`, { param: "id" });
    }
    for (const { pool } of due) {
      await tx.fleetUpgrade.update({ where: { id_pool: { id, pool } }, data });
      if (!isOfJoinedNodes(pool))
        await changeUpgradingNodes(tx, pool, (node) => (node.upgradeId === id ? ofNode(node) : undefined));
      else if (ofJoinedNode)
        await tx.joinedNode.updateMany({
          where: { upgradeId: id, upgradeState: { in: ofJoinedNode.in } },
          data: ofJoinedNode.data,
        });
    }
    return fleetUpgradeLines(tx, { id });
  });
}
