import type { Pod, Prisma } from "../../../engines/postgres/generated/client";
import { runIdOf } from "./stored-pod";

interface NextRun {
  /** The files with which it starts. */
  origin: "image" | "files" | "checkpoint";
  checkpointId?: string | undefined;
  now: Date;
}

/** Adds a run to a locked pod, which waits for capacity then. Why it waits, and its status, are the caller's. */
export async function addRun(
  tx: Prisma.TransactionClient,
  { id, runNumber }: Pick<Pod, "id" | "runNumber">,
  { origin, checkpointId = undefined, now }: NextRun,
): Promise<Pod> {
  const number = runNumber + 1;
  return tx.pod.update({
    where: { id },
    data: {
      runNumber: number,
      exitCode: null,
      exitSignal: null,
      oomKilled: false,
      startedAt: null,
      stoppedAt: null,
      stopRequestedAt: null,
      runs: {
        create: { id: runIdOf(id, number), number, createdAt: now, origin, ...(checkpointId && { checkpointId }) },
      },
    },
  });
}
