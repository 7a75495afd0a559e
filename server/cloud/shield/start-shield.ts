import type { Logger } from "pino";
import type { Tasks } from "../../engines/jobs/start-jobs";
import { type Repeating, repeat } from "../../kernel/repeat";
import { type RunScan, runScan } from "./run-scan";
import { ScanThread } from "./scan-thread";
import { sweepShield } from "./sweep-shield";

const LOOK_MS = 1000;
const SWEEP_SHIELD = "sweep_shield";

export const SHIELD_CRONTAB = `22 * * * * ${SWEEP_SHIELD}`;

export interface StartShield extends Omit<RunScan, "openThread"> {
  /** The built scan-worker.ts. */
  workerFile: string;
  /** The root of the hashes of values. */
  shieldKey: Buffer;
  log: Pick<Logger, "info" | "warn">;
}

/** Runs scans in the background until `stop`, one at a time; several processes may do so at the same time. */
export function startShield({ workerFile, shieldKey, log, ...ctx }: StartShield): Repeating {
  const openThread = () => new ScanThread(workerFile, shieldKey);
  return repeat({ everyMs: LOOK_MS, log, purpose: "scan buckets" }, (stopping) =>
    runScan({ ...ctx, log, openThread }, stopping),
  );
}

/** Forgets what belongs to deleted buckets, and what is old. */
export const shieldTasks = (parts: Pick<RunScan, "sql" | "clock">): Tasks => ({
  [SWEEP_SHIELD]: () => sweepShield(parts),
});
