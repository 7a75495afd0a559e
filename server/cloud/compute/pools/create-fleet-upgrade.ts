import { z } from "zod";
import type { FleetUpgrade, Prisma, PrismaClient } from "../../../engines/postgres/generated/client";
import type { Clock } from "../../../kernel/clock";
import { ServiceError } from "../../../kernel/errors";
import { newId } from "../../../kernel/ids";
import { assertPool, POOLS } from "./change-node";
import { type FleetUpgradeLine, fleetUpgradeLines } from "./fleet-upgrade";
import { lockPool } from "./pools.sql";
import { ALL_JOINED_NODES, countUpgradeNodes, isOfJoinedNodes, lockUpgradeNodes } from "./upgrade-nodes.sql";

const WAIT_MINUTES = 10;
const WAIT_MINUTES_MAX = 24 * 60;

const Fields = z.strictObject({
  /** Only joined nodes can be upgraded without one: their agents then run what is on the disk. */
  target_version: z
    .string("Expected a version, such as 1.2.0.")
    .regex(
      /^[0-9A-Za-z][0-9A-Za-z.+_-]{0,63}$/,
      "Expected a version of up to 64 letters, digits and . + _ -, such as 1.2.0.",
    )
    .optional(),
  /** Default: all simulated pools, and `joined-nodes` if any have joined. */
  pool: z.string().optional(),
  strategy: z.enum(["rolling", "blue_green"], "Expected rolling or blue_green.").default("rolling"),
  max_unavailable: z.int("Expected a whole number from 1.").min(1, "Expected a whole number from 1.").default(1),
  /** blue_green: how long pods may take to end on their own. */
  wait_minutes: z
    .int(`Expected whole minutes from 0 to ${WAIT_MINUTES_MAX}.`)
    .min(0, `Expected whole minutes from 0 to ${WAIT_MINUTES_MAX}.`)
    .max(WAIT_MINUTES_MAX, `Expected whole minutes from 0 to ${WAIT_MINUTES_MAX}.`)
    .default(WAIT_MINUTES),
});

export const CreateFleetUpgrade = Fields.refine(
  ({ target_version, pool }) => target_version !== undefined || (pool !== undefined && isOfJoinedNodes(pool)),
  {
    path: ["target_version"],
    message: "Expected a version, such as 1.2.0: only joined nodes are upgraded without one.",
  },
);
type CreateFleetUpgrade = z.output<typeof CreateFleetUpgrade>;

/**
 * Begins to upgrade the nodes of a pool, or of all pools: one line for each, with the same id. Of joined nodes the agents are restarted.
 * Throws `not_found`, `conflict` if a pool has an upgrade that has not ended, and `invalid_request`
 * if a pool has fewer nodes than `max_unavailable`.
 */
export async function createFleetUpgrade(
  { db, clock }: { db: PrismaClient; clock: Clock },
  input: CreateFleetUpgrade,
): Promise<FleetUpgradeLine[]> {
  if (input.pool !== undefined && input.pool !== ALL_JOINED_NODES) assertPool(input.pool);
  const startedAt = clock.now();
  const id = newId("upg", startedAt.getTime());
  return db.$transaction(async (tx) => {
    const pools = await poolsOf(tx, input.pool);
    for (const pool of pools) if (!isOfJoinedNodes(pool)) await lockPool(tx, pool);
    if (pools.some(isOfJoinedNodes)) await lockUpgradeNodes(tx);
    const { target_version: targetVersion = null, strategy, wait_minutes: waitMinutes } = input;
    const data: Prisma.FleetUpgradeCreateManyInput[] = [];
    for (const pool of pools) {
      const counts = await countNodes(tx, { id, pool, targetVersion, startedAt });
      const maxUnavailable = input.max_unavailable;
      data.push({ id, pool, targetVersion, strategy, maxUnavailable, waitMinutes, startedAt, ...counts });
    }
    assertRoom(data);
    await assertNoneOpen(tx, pools);
    await tx.fleetUpgrade.createMany({ data });
    return fleetUpgradeLines(tx, { id });
  });
}

async function poolsOf(tx: Prisma.TransactionClient, pool: string | undefined): Promise<readonly string[]> {
  if (pool !== undefined) return [pool];
  return (await tx.joinedNode.count()) > 0 ? [...POOLS, ALL_JOINED_NODES] : POOLS;
}

async function countNodes(
  tx: Prisma.TransactionClient,
  upgrade: Pick<FleetUpgrade, "id" | "pool" | "startedAt" | "targetVersion">,
): Promise<{ nodes: number; upgradedNodes: number }> {
  const { pool, targetVersion } = upgrade;
  if (isOfJoinedNodes(pool)) return countUpgradeNodes(tx, upgrade);
  return {
    nodes: await tx.gpuNode.count({ where: { pool } }),
    upgradedNodes: await tx.gpuNode.count({ where: { pool, softwareVersion: targetVersion ?? "" } }),
  };
}

/** Throws `invalid_request`. */
function assertRoom(upgrades: readonly Prisma.FleetUpgradeCreateManyInput[]): void {
  const [smallest] = upgrades.toSorted((a, b) => a.nodes - b.nodes);
  if (!smallest) return;
  const { pool, nodes, maxUnavailable } = smallest;
  if (nodes === 0) {
    const message = `pool: ${pool} has no nodes that have joined with svc node join.`;
    throw new ServiceError("invalid_request", message, { param: "pool" });
  }
  if (maxUnavailable <= nodes) return;
  const message = `max_unavailable is ${maxUnavailable}, but ${pool} has ${nodes} nodes. Expected 1 to ${nodes}.`;
  throw new ServiceError("invalid_request", message, { param: "max_unavailable" });
}

async function assertNoneOpen(tx: Prisma.TransactionClient, pools: readonly string[]): Promise<void> {
  const open = await tx.fleetUpgrade.findFirst({
    where: { pool: { in: [...pools] }, finishedAt: null, tenantId: null },
    orderBy: { pool: "asc" },
  });
  if (!open) return;
  const { pool, id, state, targetVersion } = open;
  const message = `${pool} has the upgrade ${id}${targetVersion === null ? "" : ` to ${targetVersion}`}, which is ${state}. Wait until it is complete, or cancel it.`;
  throw new ServiceError("conflict", message, { param: "pool" });
}
