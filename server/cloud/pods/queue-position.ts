import type { Prisma } from "../../engines/postgres/generated/client";
import { FairQueue } from "./fair-queue";
import { heldGpus, waitingRuns } from "./waiting-runs.sql";

/**
 * The place of a waiting run among those of its pool, from 1, if each one before it is placed; null if the next round
 * does not try it, because too many others wait.
 */
export async function queuePosition(tx: Prisma.TransactionClient, runId: string): Promise<number | null> {
  const waiting = await waitingRuns(tx);
  const own = waiting.find(({ id }) => id === runId);
  if (!own) return null;
  const queue = new FairQueue(waiting, await heldGpus(tx));
  let position = 0;
  for (let run = queue.next(); run; run = queue.next()) {
    if (run.pool === own.pool) position++;
    if (run === own) return position;
    queue.placed(run);
  }
  return null;
}
