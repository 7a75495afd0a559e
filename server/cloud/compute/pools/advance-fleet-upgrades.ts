import type { FleetUpgrade, GpuNode, Prisma, PrismaClient } from "../../../engines/postgres/generated/client";
import type { Clock } from "../../../kernel/clock";
import { advanceNodeUpgrade } from "./advance-node-upgrade";
import { blockedByOperators } from "./blocked-by-operators";
import type { NodeName } from "./change-node";
import { changeUpgradingNodes, endUpgradeOf, openAfterUpgrade } from "./change-upgrading-nodes";
import { lockPool } from "./pools.sql";
import { isOfJoinedNodes } from "./upgrade-nodes.sql";
import { upgradePool, upgradesToAdvance } from "./upgrade-state.sql";
import { nextUpgradeSteps, type UpgradeStep } from "./upgrade-steps";

/**
 * Installs a version on a node that is empty and cordoned. It may be called again for the same node, also by two processes
 * at the same time, because a crash can leave open whether it was through. A failure is shown to operators.
 */
export type UpgradeNodeSoftware = (node: NodeName & { targetVersion: string }) => Promise<void>;

export interface AdvanceUpgrades {
  db: PrismaClient;
  clock: Clock;
  upgradeNode: UpgradeNodeSoftware;
  /** When this process began to look at upgrades; nodes may not have been reached before that. */
  lookingSince: Date;
}

const REASON_MAX = 400;

/**
 * Does what is due for all fleet upgrades, one decision per pool, or per upgrade of joined nodes. Each decision is one
 * transaction that locks the pool or the nodes and looks again, so any number of processes may do this; after a crash
 * the next round goes on. Returns whether something was done, and so more may be due.
 */
export async function advanceFleetUpgrades(ctx: AdvanceUpgrades): Promise<boolean> {
  let isChanged = false;
  for (const { id, pool } of await upgradesToAdvance(ctx.db)) {
    if (isOfJoinedNodes(pool)) {
      const upgrade = { id, pool, now: ctx.clock.now(), lookingSince: ctx.lookingSince };
      if (await ctx.db.$transaction((tx) => advanceNodeUpgrade(tx, upgrade))) isChanged = true;
      continue;
    }
    const steps = await ctx.db.$transaction((tx) => decide(tx, ctx.clock, { id, pool }));
    if (steps.length > 0) isChanged = true;
    for (const step of steps) if (step.step === "upgrade") await upgradeOne(ctx, { id, pool, node: step.node });
  }
  return isChanged;
}

async function decide(
  tx: Prisma.TransactionClient,
  clock: Clock,
  { id, pool }: { id: string; pool: string },
): Promise<UpgradeStep[]> {
  await lockPool(tx, pool);
  const upgrade = await tx.fleetUpgrade.findUniqueOrThrow({ where: { id_pool: { id, pool } } });
  const now = clock.now();
  const blocked = await blockedByOperators(tx, upgrade);
  if (blocked !== undefined) await pauseUpgrade(tx, upgrade, blocked);
  const state = await upgradePool(tx, { ...upgrade, ...(blocked !== undefined && { state: "paused" }) }, now);
  const steps = state ? nextUpgradeSteps(state) : [];
  const changes = new Map(steps.flatMap((step) => ("node" in step ? [[step.node, step] as const] : [])));
  await changeUpgradingNodes(tx, pool, (node) => afterStep(node, changes.get(node.node), { upgrade, now }));
  for (const step of steps) {
    if (step.step === "pause") await pauseUpgrade(tx, upgrade, step.reason);
    if (step.step === "complete") await complete(tx, upgrade, now);
  }
  return steps;
}

function afterStep(
  node: GpuNode,
  step: UpgradeStep | undefined,
  { upgrade: { id, targetVersion }, now }: { upgrade: FleetUpgrade; now: Date },
): Partial<GpuNode> | undefined {
  if (step?.step === "drain") return { drains: true };
  if (step?.step === "upgrade") return node.upgradeState === "upgrading" ? undefined : { upgradeState: "upgrading" };
  if (step?.step === "open") return node.upgradeState === "failed" ? endUpgradeOf : openAfterUpgrade(node);
  if (step?.step !== "begin") return undefined;
  const begun = { upgradeId: id, upgradeState: "emptying" as const, upgradeBegunAt: now };
  if (node.cordonedAt) return begun;
  const cordonReason = `Upgrade to ${targetVersion}.`;
  return { ...begun, cordonedAt: now, cordonReason, cordonSource: "upgrade", drains: step.drains };
}

const complete = (tx: Prisma.TransactionClient, { id, pool }: FleetUpgrade, now: Date) =>
  tx.fleetUpgrade.update({ where: { id_pool: { id, pool } }, data: { state: "completed", finishedAt: now } });

async function pauseUpgrade(
  tx: Prisma.TransactionClient,
  { id, pool }: { id: string; pool: string },
  pauseReason: string,
): Promise<void> {
  await tx.fleetUpgrade.updateMany({ where: { id, pool, finishedAt: null }, data: { state: "paused", pauseReason } });
}

/** Outside of a transaction, because it may take minutes. What another process has recorded meanwhile stays. */
async function upgradeOne(
  { db, clock, upgradeNode }: AdvanceUpgrades,
  { id, pool, node }: NodeName & { id: string },
): Promise<void> {
  const { targetVersion } = await db.fleetUpgrade.findUniqueOrThrow({ where: { id_pool: { id, pool } } });
  // Only upgrades of joined nodes have none.
  if (targetVersion === null) return;
  const failure = await upgradeNode({ pool, node, targetVersion }).then(
    () => undefined,
    (err: unknown) => `Its upgrade to ${targetVersion} failed: ${textOf(err)}`,
  );
  await db.$transaction(async (tx) => {
    await lockPool(tx, pool);
    const { state } = await tx.fleetUpgrade.findUniqueOrThrow({ where: { id_pool: { id, pool } } });
    const changed = await changeUpgradingNodes(tx, pool, (row) => {
      if (row.node !== node || row.upgradeId !== id || row.upgradeState !== "upgrading") return undefined;
      if (failure !== undefined) return afterFailure(row, { failure, isEnded: state === "cancelled" });
      return { upgradeState: "upgraded", softwareVersion: targetVersion, upgradedAt: clock.now() };
    });
    if (changed === 0) return;
    if (failure !== undefined) return pauseUpgrade(tx, { id, pool }, `${node}: ${failure}`);
    await tx.fleetUpgrade.update({ where: { id_pool: { id, pool } }, data: { upgradedNodes: { increment: 1 } } });
  });
}

function afterFailure(
  { cordonSource }: GpuNode,
  { failure, isEnded }: { failure: string; isEnded: boolean },
): Partial<GpuNode> {
  return {
    ...(isEnded ? endUpgradeOf : { upgradeState: "failed" as const }),
    ...(cordonSource === "upgrade" && { cordonReason: failure }),
  };
}

function textOf(err: unknown): string {
  const text = err instanceof Error ? err.message : String(err);
  return text.length > REASON_MAX ? `${text.slice(0, REASON_MAX)}…` : text;
}
