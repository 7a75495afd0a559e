import type { FleetUpgrade, Prisma, PrismaClient } from "../../../engines/postgres/generated/client";
import type { Clock } from "../../../kernel/clock";
import { ServiceError } from "../../../kernel/errors";
import { groupedBy } from "../../../kernel/grouped";
import { blockedByOperators } from "./blocked-by-operators";
import { POOLS } from "./change-node";
import { type OwnNode, type OwnNodesOf, ownNodes } from "./own-nodes.sql";
import { lockPool } from "./pools.sql";

/** blue_green: how long instances may take to end on their own. */
const WAIT_MINUTES = 10;

export interface OwnUpgrade extends OwnNodesOf, Pick<FleetUpgrade, "strategy" | "maxUnavailable"> {
  /** Of the upgrade, in all of its pools. */
  id: string;
  targetVersion: string;
}

/**
 * Begins to upgrade the simulated nodes that a tenant has, or lets an upgrade go on that is paused. Throws `unprocessable`
 * (reason `no_nodes`), and `conflict` if operators upgrade one of the pools or the tenant has another upgrade.
 */
export async function startOwnUpgrade(
  { db, clock }: { db: PrismaClient; clock: Clock },
  upgrade: OwnUpgrade,
): Promise<void> {
  const now = clock.now();
  const known = await db.fleetUpgrade.findMany({ where: { id: upgrade.id } });
  const mine = await ownNodes(db, upgrade);
  const pools = known.length > 0 ? known.map(({ pool }) => pool) : mine.map(({ pool }) => pool);
  await db.$transaction(async (tx) => {
    for (const pool of POOLS) if (pools.includes(pool)) await lockPool(tx, pool);
    // Again, now that no instance can come or go.
    const nodes = (await ownNodes(tx, upgrade)).filter(({ pool, simulated }) => simulated && pools.includes(pool));
    await assertNoOther(tx, upgrade, pools);
    if (known.length > 0) return goOn(tx, { id: upgrade.id, now });
    if (nodes.length === 0) throw noNodes();
    await tx.fleetUpgrade.createMany({ data: rowsOf(upgrade, nodes, now) });
  });
}

const noNodes = (): ServiceError =>
  new ServiceError(
    "unprocessable",
    "No baremetal instance of the project has a simulated node now; create one and wait until it runs.",
    { details: { reason: "no_nodes" } },
  );

function rowsOf(upgrade: OwnUpgrade, nodes: readonly OwnNode[], startedAt: Date): Prisma.FleetUpgradeCreateManyInput[] {
  const { id, tenantId, targetVersion, strategy, maxUnavailable } = upgrade;
  return [...groupedBy(nodes, ({ pool }) => pool)].map(([pool, ofPool]) => ({
    id,
    pool,
    tenantId,
    targetVersion,
    strategy,
    maxUnavailable,
    waitMinutes: WAIT_MINUTES,
    startedAt,
    nodes: ofPool.length,
    nodeNames: ofPool.map(({ node }) => node),
    upgradedNodes: ofPool.filter(({ softwareVersion }) => softwareVersion === targetVersion).length,
  }));
}

const goOn = (tx: Prisma.TransactionClient, { id, now }: { id: string; now: Date }) =>
  tx.fleetUpgrade
    .updateMany({ where: { id, state: "paused" }, data: { state: "running", pauseReason: null, resumedAt: now } })
    .then(() => undefined);

async function assertNoOther(
  tx: Prisma.TransactionClient,
  { id, tenantId }: OwnUpgrade,
  pools: readonly string[],
): Promise<void> {
  for (const pool of pools) {
    const blocked = await blockedByOperators(tx, { pool, tenantId, state: "running" });
    if (blocked !== undefined)
      throw new ServiceError("conflict", blocked, { details: { reason: "operators_upgrade" } });
  }
  const other = await tx.fleetUpgrade.findFirst({ where: { tenantId, finishedAt: null, id: { not: id } } });
  if (!other) return;
  const message = `The tenant has the upgrade ${other.id} to ${other.targetVersion}, which is ${other.state}: wait until it is complete, or delete it.`;
  throw new ServiceError("conflict", message, { details: { reason: "upgrade_open", rid: other.id } });
}
