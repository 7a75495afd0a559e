import { QUIET_MS } from "./node-health";

/** An upgraded node is watched for so long: a critical health event pauses the upgrade. */
export const WATCH_MS = QUIET_MS;

export interface UpgradeNode {
  node: string;
  version: string;
  isCordoned: boolean;
  /** What runs on it is given notice. */
  drains: boolean;
  isEmpty: boolean;
  /** What this upgrade does with it; null: nothing. `other`: an upgrade before this one is not through with it. */
  upgrade: "emptying" | "upgrading" | "upgraded" | "failed" | "other" | null;
  /** When this upgrade began to empty it, in milliseconds. */
  begunMs: number | null;
  /** When its version was set, in milliseconds. */
  upgradedMs: number | null;
  /** Its first critical event since then, since the start of this upgrade and since it was resumed. */
  critMs: number | null;
  /** Of an upgrade of a tenant: no instance of the tenant has it any more. */
  isLost?: boolean;
}

/** The upgrade of a pool with all of its nodes. */
export interface UpgradePool {
  state: "running" | "paused" | "cancelled";
  strategy: "rolling" | "blue_green";
  targetVersion: string;
  maxUnavailable: number;
  /** blue_green: how long pods may take to end on their own. */
  waitMs: number;
  nowMs: number;
  /** A tenant upgrades its own nodes. */
  isOfTenant?: boolean;
  nodes: readonly UpgradeNode[];
}

export type UpgradeStep =
  | { step: "pause"; reason: string }
  /** Cordons a node, or takes one in hand that is cordoned already. */
  | { step: "begin"; node: string; drains: boolean }
  | { step: "drain"; node: string }
  | { step: "upgrade"; node: string }
  | { step: "open"; node: string }
  | { step: "complete" };

/**
 * What is due for the upgrade of a pool.
 *
 * `rolling` cordons and drains nodes while fewer than `maxUnavailable` of the pool accept no pods, for any reason, and
 * opens each when it has the new version.
 *
 * `blue_green` takes the first half of the nodes by name (green, rounded up) before the others (blue), in batches of at
 * most `maxUnavailable` nodes of one colour. A batch is cordoned, so that new pods go to other nodes, and drained only
 * after `waitMs`; it opens when all of it has the new version. Blue nodes follow when all green ones had 5 minutes without
 * a critical event.
 *
 * Nodes that others have cordoned count as unavailable, and are upgraded when they are empty.
 *
 * An upgrade of a tenant leaves nodes that are not the tenant's any more, and opens all that it has in hand when it does not
 * run: nodes are not kept from others then.
 */
export function nextUpgradeSteps(all: UpgradePool): UpgradeStep[] {
  const left = all.nodes.filter((node) => isMine(node) && isLeft(node, all));
  const pool = { ...all, nodes: all.nodes.filter((node) => !left.includes(node) && !(node.isLost && !isMine(node))) };
  const steps = [...upgrading(pool), ...opening(pool), ...left.map(({ node }) => ({ step: "open" as const, node }))];
  if (pool.state !== "running") return steps;
  const critical = pool.nodes.find((node) => isCritical(node, pool));
  if (critical) return [pauseAfterCrit(critical), ...steps];
  if (isComplete(pool)) return [{ step: "complete" }];
  return [...steps, ...emptying(pool), ...beginning(pool)];
}

const pauseAfterCrit = ({ node }: UpgradeNode): UpgradeStep => ({
  step: "pause",
  reason: `${node} had a critical health event within 5 minutes after its upgrade.`,
});

const isMine = ({ upgrade }: UpgradeNode): boolean => upgrade !== null && upgrade !== "other";

const isLeft = ({ isLost = false, upgrade }: UpgradeNode, { isOfTenant = false, state }: UpgradePool): boolean =>
  upgrade !== "upgrading" && (isLost || (isOfTenant && state !== "running"));

const isComplete = ({ nodes, targetVersion }: UpgradePool): boolean =>
  nodes.every((node) => node.version === targetVersion && node.upgrade === null);

const isCritical = ({ version, upgradedMs, critMs }: UpgradeNode, { targetVersion }: UpgradePool): boolean =>
  version === targetVersion && upgradedMs !== null && critMs !== null && critMs - upgradedMs <= WATCH_MS;

/** An upgrade of a node that was begun is finished, also after a crash and when the whole is paused or cancelled. */
const upgrading = ({ nodes }: UpgradePool): UpgradeStep[] =>
  nodes.filter(({ upgrade }) => upgrade === "upgrading").map(({ node }) => ({ step: "upgrade", node }));

function opening({ nodes, strategy, state }: UpgradePool): UpgradeStep[] {
  const upgraded = nodes.filter(({ upgrade }) => upgrade === "upgraded");
  const waitsForBatch = strategy === "blue_green" && state !== "cancelled";
  if (waitsForBatch && upgraded.length < nodes.filter(isMine).length) return [];
  return upgraded.map(({ node }) => ({ step: "open", node }));
}

function emptying({ nodes, strategy, waitMs, nowMs }: UpgradePool): UpgradeStep[] {
  return nodes.flatMap(({ node, upgrade, isEmpty, drains, begunMs }): UpgradeStep[] => {
    if (upgrade !== "emptying") return [];
    if (isEmpty) return [{ step: "upgrade", node }];
    const isDue = strategy === "rolling" || nowMs - (begunMs ?? nowMs) >= waitMs;
    return isDue && !drains ? [{ step: "drain", node }] : [];
  });
}

function beginning(pool: UpgradePool): UpgradeStep[] {
  const { nodes, strategy, maxUnavailable } = pool;
  const candidates = strategy === "rolling" ? waiting(nodes, pool) : nextBatch(pool);
  const room = Math.max(0, maxUnavailable - nodes.filter(({ isCordoned }) => isCordoned).length);
  const cordoned = candidates.filter(({ isCordoned }) => isCordoned);
  const open = candidates.filter(({ isCordoned }) => !isCordoned);
  const emptyFirst = [...open.filter(({ isEmpty }) => isEmpty), ...open.filter(({ isEmpty }) => !isEmpty)];
  const begun = [...cordoned, ...emptyFirst.slice(0, room)];
  return begun.map(({ node }) => ({ step: "begin", node, drains: strategy === "rolling" }));
}

/** The nodes that can be taken in hand. Pods on a node that others have cordoned stay as these decided. */
const waiting = (nodes: readonly UpgradeNode[], { targetVersion }: UpgradePool): UpgradeNode[] =>
  nodes.filter(
    ({ version, upgrade, isCordoned, isEmpty }) =>
      version !== targetVersion && upgrade === null && (!isCordoned || isEmpty),
  );

function nextBatch(pool: UpgradePool): UpgradeNode[] {
  const { nodes, targetVersion, nowMs } = pool;
  if (nodes.some(isMine)) return [];
  const byName = nodes.toSorted((a, b) => a.node.localeCompare(b.node, "en", { numeric: true }));
  const half = Math.ceil(byName.length / 2);
  const [green, blue] = [byName.slice(0, half), byName.slice(half)];
  const greenWaiting = waiting(green, pool);
  if (greenWaiting.length > 0) return greenWaiting;
  const isWatched = ({ version, upgradedMs }: UpgradeNode) =>
    version === targetVersion && upgradedMs !== null && nowMs - upgradedMs < WATCH_MS;
  return green.some(isWatched) ? [] : waiting(blue, pool);
}
