import type { Logger } from "pino";
import type { Tasks } from "../../../engines/jobs/start-jobs";
import type { StartedAlarms } from "../../../engines/start-alarms";
import type { RunningRound } from "../../../kernel/alarms";
import { type RunScan, runScan } from "./run-scan";
import { ScanThread } from "./scan-thread";
import { NEXT_SCAN } from "./scans.sql";
import { sweepShield } from "./sweep-shield";

const SWEEP_SHIELD = "sweep_shield";

export const SHIELD_CRONTAB = `22 * * * * ${SWEEP_SHIELD}`;

export interface StartShield extends Omit<RunScan, "openThread"> {
  /** The built scan-worker.ts. */
  workerFile: string;
  /** The root of the hashes of values. */
  shieldKey: Buffer;
  log: Pick<Logger, "warn">;
  alarms: Pick<StartedAlarms, "add">;
}

/** Runs scans in the background until `stop`, one at a time; several processes may do so at the same time. */
export function startShield({ workerFile, shieldKey, alarms, ...ctx }: StartShield): RunningRound {
  const openThread = () => new ScanThread(workerFile, shieldKey);
  return alarms.add({
    topic: "scans",
    purpose: "scan buckets",
    nextDue: NEXT_SCAN,
    run: (stopping) => runScan({ ...ctx, openThread }, stopping),
  });
}

/** Forgets what belongs to deleted buckets, and what is old. */
export const shieldTasks = (parts: Pick<RunScan, "sql" | "clock">): Tasks => ({
  [SWEEP_SHIELD]: () => sweepShield(parts),
});
