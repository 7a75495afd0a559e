import type { Observation } from "../../../engines/runtime/runtime";
import type { RunToKeep } from "./pods.sql";

export type RunStep =
  /** Prepare the image and start the process. */
  | "start"
  /** Record that the process runs. */
  | "record_start"
  | "record_seen"
  /** Send the stop signal, later SIGKILL, and record the end. */
  | "stop"
  /** The same without a grace. */
  | "kill"
  /** Give notice, end what runs when the notice is over, and record the end. */
  | "reclaim"
  | "record_end"
  /** The process ran, and nothing of it is left. */
  | "record_loss"
  /** It was to stop before its process existed. */
  | "record_no_start"
  /** Delete the files of a run that has ended. */
  | "remove";

/**
 * What a run needs next, from what the database wants and what the runtime observes. `remove` is only right for runs
 * that `runsToKeep` returned although they have ended.
 */
export function nextRunStep(
  run: Pick<RunToKeep, "kind" | "status" | "isDeleted" | "startedAt" | "endedAt">,
  { state }: Pick<Observation, "state">,
): RunStep {
  if (run.endedAt) return "remove";
  const isToEnd = run.isDeleted || run.status === "stopping";
  // Nothing of a sandbox or a function is kept, so that nothing in it needs time to end.
  const isKilled = run.isDeleted || run.kind !== "pod";
  switch (state) {
    case "exited":
      return "record_end";
    case "running":
      if (isToEnd) return isKilled ? "kill" : "stop";
      if (run.status === "reclaiming") return "reclaim";
      return run.startedAt ? "record_seen" : "record_start";
    case "preparing":
      if (isToEnd) return isKilled ? "kill" : "stop";
      return "start";
    case "absent":
      if (run.startedAt) return "record_loss";
      return isToEnd ? "record_no_start" : "start";
  }
}

/** Steps that are due again only after a while. */
export const WAITING: ReadonlySet<RunStep> = new Set(["record_seen", "start", "remove"]);
/** Steps that end what a start has made until then. */
export const ENDS: ReadonlySet<RunStep> = new Set(["stop", "kill", "record_no_start"]);
