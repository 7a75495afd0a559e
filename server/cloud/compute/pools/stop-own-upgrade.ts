import type { Prisma, PrismaClient } from "../../../engines/postgres/generated/client";
import type { Clock } from "../../../kernel/clock";
import { afterCancel } from "./cancel-fleet-upgrade";
import { POOLS } from "./change-node";
import { changeUpgradingNodes } from "./change-upgrading-nodes";
import { lockPool } from "./pools.sql";

interface Ctx {
  db: PrismaClient;
  clock: Clock;
}

/** Pauses an upgrade of a tenant and opens the nodes that it has in hand. Returns true when it has none any more. */
export const suspendOwnUpgrade = ({ db }: Ctx, id: string): Promise<boolean> =>
  leaveNodes(db, id, { state: "paused", pauseReason: "The service flc is not activated." });

/** Ends an upgrade of a tenant and deletes it. Returns true when nothing is left of it. */
export async function removeOwnUpgrade({ db, clock }: Ctx, id: string): Promise<boolean> {
  const isOver = await leaveNodes(db, id, { state: "cancelled", pauseReason: null, finishedAt: clock.now() });
  if (isOver) await db.fleetUpgrade.deleteMany({ where: { id } });
  return isOver;
}

async function leaveNodes(
  db: PrismaClient,
  id: string,
  data: Prisma.FleetUpgradeUpdateManyMutationInput,
): Promise<boolean> {
  const rows = await db.fleetUpgrade.findMany({ where: { id }, select: { pool: true } });
  const pools = new Set(rows.map(({ pool }) => pool));
  return db.$transaction(async (tx) => {
    for (const pool of POOLS) if (pools.has(pool)) await lockPool(tx, pool);
    await tx.fleetUpgrade.updateMany({ where: { id, finishedAt: null }, data });
    for (const pool of pools)
      await changeUpgradingNodes(tx, pool, (node) => (node.upgradeId === id ? afterCancel(node) : undefined));
    return (await tx.gpuNode.count({ where: { upgradeId: id } })) === 0;
  });
}
