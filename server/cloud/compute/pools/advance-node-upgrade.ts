import type { FleetUpgrade, Prisma } from "../../../engines/postgres/generated/client";
import { beginRestart, type RestartResult, type RestartTarget, restartResult } from "./node-restart";
import { lockUpgradeNodes, nodesOfUpgrade, type UpgradeNodeRow } from "./upgrade-nodes.sql";
import { nextUpgradeSteps, type UpgradeNode, type UpgradePool } from "./upgrade-steps";

const MINUTE_MS = 60_000;

type Change = Prisma.JoinedNodeUpdateInput;

/**
 * Does what is due for an upgrade of joined nodes in one transaction: it records which agents are to be restarted, which the
 * processes that drive them carry out, and what has become of that. Pods stay on a node, and outlive its agent. Returns
 * whether something was changed.
 */
export async function advanceNodeUpgrade(
  tx: Prisma.TransactionClient,
  { id, pool, now, lookingSince }: { id: string; pool: string } & Pick<RestartTarget, "now" | "lookingSince">,
): Promise<boolean> {
  await lockUpgradeNodes(tx);
  const upgrade = await tx.fleetUpgrade.findUniqueOrThrow({ where: { id_pool: { id, pool } } });
  if (upgrade.state === "completed") return false;
  const nodes = await nodesOfUpgrade(tx, upgrade);
  const results = resultsOf(nodes, upgrade, { version: upgrade.targetVersion, now, lookingSince });
  if (results.size > 0) {
    await recordResults(tx, upgrade, { results, now });
    return true;
  }
  return takeSteps(tx, upgrade, { nodes, now });
}

/** What is known of the nodes that are being restarted, and of those whose restart is due. */
function resultsOf(
  nodes: readonly UpgradeNodeRow[],
  { id, state }: FleetUpgrade,
  target: RestartTarget,
): Map<string, RestartResult> {
  const mine = nodes.filter(({ upgradeId }) => upgradeId === id);
  const results = mine.flatMap((node): [string, RestartResult][] => {
    if (node.upgradeState === "upgrading") return [[node.id, restartResult(node, target)]];
    const isDue = node.upgradeState === "emptying" && state === "running";
    return isDue ? [[node.id, beginRestart(node, target)]] : [];
  });
  const isPaused = results.some(([, { result }]) => result === "failed");
  return new Map(results.filter(([, { result }]) => result !== "waits" && !(isPaused && result === "asked")));
}

async function recordResults(
  tx: Prisma.TransactionClient,
  { id, pool, state, finishedAt }: FleetUpgrade,
  { results, now }: { results: ReadonlyMap<string, RestartResult>; now: Date },
): Promise<void> {
  const reasons: string[] = [];
  for (const [node, result] of results) {
    if (result.result === "failed") reasons.push(result.reason);
    if (result.result === "asked")
      await tx.$executeRaw`UPDATE joined_nodes SET upgrade_state = 'upgrading', restart_boot_id = boot_id,
        restart_at = ${now} WHERE id = ${node}`;
    const data = changeAfter(result, { id, isEnded: state === "cancelled", now });
    if (data) await tx.joinedNode.update({ where: { id: node }, data });
  }
  const done = [...results.values()].filter(({ result }) => result === "done").length;
  const paused = reasons.length > 0 && finishedAt === null;
  await tx.fleetUpgrade.update({
    where: { id_pool: { id, pool } },
    data: {
      upgradedNodes: { increment: done },
      ...(paused && { state: "paused", pauseReason: reasons.join(" ") }),
    },
  });
}

function changeAfter(
  { result }: RestartResult,
  { id, isEnded, now }: { id: string; isEnded: boolean; now: Date },
): Change | undefined {
  if (result === "done") return { upgradeState: "upgraded", upgradedBy: id, upgradedAt: now };
  if (result === "failed") return isEnded ? OUT_OF_HAND : { upgradeState: "failed" };
  return undefined;
}

/** The upgrade is through with a node, which is given pods again. */
export const OUT_OF_HAND = {
  upgradeId: null,
  upgradeState: null,
  upgradeBegunAt: null,
  restartBootId: null,
  restartAt: null,
} as const satisfies Change;

async function takeSteps(
  tx: Prisma.TransactionClient,
  upgrade: FleetUpgrade,
  { nodes, now }: { nodes: readonly UpgradeNodeRow[]; now: Date },
): Promise<boolean> {
  const { id, pool } = upgrade;
  const where = { id_pool: { id, pool } };
  // Also of nodes that were unavailable before, so that no more are restarted at once when these report again.
  let room = upgrade.maxUnavailable - nodes.filter(({ upgradeId }) => upgradeId === id).length;
  let isChanged = false;
  for (const step of nextUpgradeSteps(toPool(upgrade, nodes, now))) {
    // Restarts are begun and settled before.
    if (step.step === "upgrade" || step.step === "drain") continue;
    if (step.step === "begin" && room-- <= 0) continue;
    isChanged = true;
    if (step.step === "pause")
      await tx.fleetUpgrade.update({ where, data: { state: "paused", pauseReason: step.reason } });
    if (step.step === "complete")
      await tx.fleetUpgrade.update({ where, data: { state: "completed", finishedAt: now } });
    if (step.step === "begin") {
      const begun = { upgradeId: id, upgradeState: "emptying" as const, upgradeBegunAt: now, restartBootId: null };
      await tx.joinedNode.update({ where: { name: step.node }, data: begun });
    }
    if (step.step === "open") await tx.joinedNode.update({ where: { name: step.node }, data: OUT_OF_HAND });
  }
  return isChanged;
}

function toPool(upgrade: FleetUpgrade, nodes: readonly UpgradeNodeRow[], now: Date): UpgradePool {
  const { id, strategy, maxUnavailable, waitMinutes } = upgrade;
  return {
    state: upgrade.state === "completed" ? "cancelled" : upgrade.state,
    strategy,
    maxUnavailable,
    targetVersion: upgrade.targetVersion ?? id,
    waitMs: waitMinutes * MINUTE_MS,
    nowMs: now.getTime(),
    nodes: nodes.map((node) => toNode(node, upgrade)),
  };
}

/** Without a version, the upgrade itself is what a node has or has not. */
function toNode(node: UpgradeNodeRow, { id, targetVersion }: FleetUpgrade): UpgradeNode {
  const { name, upgradeId, upgradeState, upgradedBy, isReporting, isCordoned } = node;
  return {
    node: name,
    version: targetVersion === null ? (upgradedBy ?? "") : node.version,
    isCordoned: isCordoned || !isReporting || upgradeId !== null,
    // Pods stay.
    drains: false,
    isEmpty: true,
    upgrade: upgradeId === null || upgradeId === id ? upgradeState : "other",
    begunMs: node.upgradeBegunAt?.getTime() ?? null,
    upgradedMs: node.upgradedAt?.getTime() ?? null,
    critMs: node.critAt?.getTime() ?? null,
  };
}
