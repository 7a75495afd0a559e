import type { Prisma } from "../../engines/postgres/generated/client";
import { fairQueue, RUNS_PER_ROUND, type WaitingPod, waitingRuns } from "./waiting-runs.sql";

/**
 * The place of a run among those that wait for its pool, from 1, if each one before it is placed; null if the next round
 * does not try it, because too many others wait. A run that does not exist yet counts as the newest.
 */
export async function queuePosition(tx: Prisma.TransactionClient, run: WaitingPod): Promise<number | null> {
  const stored = await waitingRuns(tx);
  const found = stored.find(({ id }) => id === run.id);
  if (!found && stored.length >= RUNS_PER_ROUND) return null;
  const own = found ?? run;
  const queue = await fairQueue(tx, found ? stored : [...stored, own]);
  let position = 0;
  for (let next = queue.next(); next; next = queue.next()) {
    if (next.pool === own.pool) position++;
    if (next === own) return position;
    queue.placed(next);
  }
  return null;
}
