import os from "node:os";
import type { Pod, Prisma } from "../../../engines/postgres/generated/client";
import { recordEvent } from "../../../identity/events/record-event";
import { trainingRunCompleted, trainingRunFailed } from "../training-runs/training-run.events";

/** The convention of shells: a process that a signal ended has 128 and the number of the signal. */
const SIGNAL_BASE = 128;

/** Records the event of a pod with the label `job: training` whose process ended by itself. */
export async function recordTrainingRun(tx: Prisma.TransactionClient, pod: Pod, at: Date): Promise<void> {
  const { tenantId, projectId, mode, startedAt, stoppedAt } = pod;
  if ((pod.labels as Record<string, string>).job !== "training") return;
  const data = {
    pod_id: pod.id,
    name: pod.name,
    exit_code: exitCodeOf(pod),
    started_at: startedAt?.toISOString() ?? null,
    ended_at: (stoppedAt ?? at).toISOString(),
  };
  const kind = pod.status === "completed" ? trainingRunCompleted : trainingRunFailed;
  await recordEvent(tx, { tenantId, projectId, mode, at }, { kind, data });
}

function exitCodeOf({ exitCode, exitSignal }: Pod): number | null {
  if (exitSignal === null) return exitCode;
  const number = os.constants.signals[exitSignal as NodeJS.Signals];
  return number === undefined ? null : SIGNAL_BASE + number;
}
