import { z } from "zod";
import type { Prisma, PrismaClient } from "../../engines/postgres/generated/client";
import type { Clock } from "../../kernel/clock";
import { ServiceError } from "../../kernel/errors";
import { newId } from "../../kernel/ids";
import { assertPool, POOLS } from "./change-node";
import { isLivePool, nodesOfPool } from "./fleet";
import { type FleetUpgradeLine, fleetUpgradeLines } from "./fleet-upgrade";
import { lockPool } from "./gpu-pools.sql";

const WAIT_MINUTES = 10;
const WAIT_MINUTES_MAX = 24 * 60;

export const CreateFleetUpgrade = z.strictObject({
  target_version: z
    .string("Expected a version, such as 1.2.0.")
    .regex(
      /^[0-9A-Za-z][0-9A-Za-z.+_-]{0,63}$/,
      "Expected a version of up to 64 letters, digits and . + _ -, such as 1.2.0.",
    ),
  /** Default: all pools. */
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
type CreateFleetUpgrade = z.output<typeof CreateFleetUpgrade>;

/**
 * Begins to upgrade the nodes of a pool, or of all pools: one line for each, with the same id. Throws `not_found`, `conflict`
 * if a pool has an upgrade that has not ended, and `invalid_request` if a pool has fewer nodes than `max_unavailable`.
 */
export async function createFleetUpgrade(
  { db, clock }: { db: PrismaClient; clock: Clock },
  input: CreateFleetUpgrade,
): Promise<FleetUpgradeLine[]> {
  if (input.pool !== undefined) assertSimulated(input.pool);
  const pools = input.pool === undefined ? POOLS : [input.pool];
  assertRoom(pools, input);
  const startedAt = clock.now();
  const id = newId("upg", startedAt.getTime());
  return db.$transaction(async (tx) => {
    for (const pool of pools) await lockPool(tx, pool);
    await assertNoneOpen(tx, pools);
    const {
      target_version: targetVersion,
      strategy,
      max_unavailable: maxUnavailable,
      wait_minutes: waitMinutes,
    } = input;
    const data = await Promise.all(
      pools.map(async (pool) => ({
        ...{ id, pool, targetVersion, strategy, maxUnavailable, waitMinutes, startedAt },
        nodes: await tx.gpuNode.count({ where: { pool } }),
        upgradedNodes: await tx.gpuNode.count({ where: { pool, softwareVersion: targetVersion } }),
      })),
    );
    await tx.fleetUpgrade.createMany({ data });
    return fleetUpgradeLines(tx, { id });
  });
}

function assertRoom(pools: readonly string[], { max_unavailable }: CreateFleetUpgrade): void {
  const [smallest] = pools
    .map((pool) => ({ pool, nodes: nodesOfPool(pool).length }))
    .toSorted((a, b) => a.nodes - b.nodes);
  if (!smallest || max_unavailable <= smallest.nodes) return;
  const message = `max_unavailable is ${max_unavailable}, but ${smallest.pool} has ${smallest.nodes} nodes. Expected 1 to ${smallest.nodes}.`;
  throw new ServiceError("invalid_request", message, { param: "max_unavailable" });
}

async function assertNoneOpen(tx: Prisma.TransactionClient, pools: readonly string[]): Promise<void> {
  const open = await tx.fleetUpgrade.findFirst({
    where: { pool: { in: [...pools] }, finishedAt: null },
    orderBy: { pool: "asc" },
  });
  if (!open) return;
  const { pool, id, state, targetVersion } = open;
  const message = `${pool} has the upgrade ${id} to ${targetVersion}, which is ${state}. Wait until it is complete, or cancel it.`;
  throw new ServiceError("conflict", message, { param: "pool" });
}

/** svc installs nothing on machines. Throws `not_found` and `invalid_request`. */
function assertSimulated(pool: string): void {
  assertPool(pool);
  if (!isLivePool(pool)) return;
  const message = `pool: ${pool} has GPUs of machines, which svc does not upgrade; drain a node to upgrade its machine yourself.`;
  throw new ServiceError("invalid_request", message, { param: "pool" });
}
