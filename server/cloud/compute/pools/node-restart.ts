/** A node that has joined, in a fleet upgrade. */
export interface UpgradingNode {
  name: string;
  /** Of the program that its agent runs, as it reported last. */
  version: string;
  /** Of the process of its agent; null: it is not known, so the agent cannot be restarted. */
  bootId: string | null;
  isReporting: boolean;
  /** When the upgrade turned to it. */
  upgradeBegunAt: Date | null;
  /** The process that the upgrade ends; null: none was chosen yet. */
  restartBootId: string | null;
  /** When it was chosen. */
  restartAt: Date | null;
}

/** How long a node may take to report, before its restart and after it: it may build the new program first. */
const RESTART_MINUTES = 5;
const MINUTE_MS = 60_000;
/** After a pause of svc itself, nodes have not been reached for that reason. */
const REACH_MS = 60_000;

export type RestartResult = { result: "waits" | "done" | "asked" } | { result: "failed"; reason: string };

export interface RestartTarget {
  /** null: any. */
  version: string | null;
  now: Date;
  /** When this process of svc began to look at upgrades. */
  lookingSince: Date;
}

/**
 * Begins the restart of a node: `asked` if its present process is to be ended, `done` if that has happened since an
 * attempt of the same upgrade which was too late.
 */
export function beginRestart(node: UpgradingNode, target: RestartTarget): RestartResult {
  const { name, bootId, isReporting, upgradeBegunAt } = node;
  if (isBack(node) && hasTarget(node, target)) return { result: "done" };
  if (isReporting && bootId !== null) return { result: "asked" };
  if (isReporting) return failed(`${name} has an agent of an earlier version, which svc cannot restart: do it there.`);
  if (upgradeBegunAt === null || target.now < deadline(upgradeBegunAt, target)) return { result: "waits" };
  return failed(`${name} has not reported for ${RESTART_MINUTES} minutes: start its agent, or remove the node.`);
}

/** What has become of a restart that was asked for at `restartAt`. */
export function restartResult(node: UpgradingNode, target: RestartTarget): RestartResult {
  const { name, version, restartAt } = node;
  if (isBack(node) && hasTarget(node, target)) return { result: "done" };
  if (isBack(node)) {
    const { version: wanted } = target;
    return failed(`${name} was restarted and runs ${version}, not ${wanted}: install ${wanted} there.`);
  }
  if (restartAt === null || target.now < deadline(restartAt, target)) return { result: "waits" };
  return failed(`${name} was not back ${RESTART_MINUTES} minutes after its restart: the log of its agent says why.`);
}

const deadline = (begunAt: Date, { lookingSince }: RestartTarget): Date =>
  new Date(Math.max(begunAt.getTime() + RESTART_MINUTES * MINUTE_MS, lookingSince.getTime() + REACH_MS));

const isBack = ({ bootId, restartBootId }: UpgradingNode): boolean =>
  restartBootId !== null && bootId !== null && bootId !== restartBootId;

const hasTarget = ({ version }: UpgradingNode, target: RestartTarget): boolean =>
  target.version === null || version === target.version;

const failed = (reason: string): RestartResult => ({ result: "failed", reason });
