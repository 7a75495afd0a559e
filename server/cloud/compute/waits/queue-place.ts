import type { Prisma } from "../../../engines/postgres/generated/client";
import { isOfGang } from "../pools/gang-keeps.sql";
import { fairQueue, RUNS_PER_ROUND, type WaitingPod, waitingRuns } from "./waiting-runs.sql";

export interface QueuePlace {
  /** The place of a run among those that wait for its pool, from 1, if each one before it is placed. */
  position: number;
  /** Whether only pods of its own gang are before it. */
  isNext: boolean;
}

/**
 * Where a run is among those that wait for its pool; null if the next round does not try it, because too many others
 * wait. A run that does not exist yet counts as the newest.
 */
export async function queuePlace(tx: Prisma.TransactionClient, run: WaitingPod): Promise<QueuePlace | null> {
  const stored = await waitingRuns(tx);
  const found = stored.find(({ id }) => id === run.id);
  if (!found && stored.length >= RUNS_PER_ROUND) return null;
  const own = found ?? run;
  const queue = await fairQueue(tx, found ? stored : [...stored, own]);
  let position = 0;
  let isNext = true;
  for (let next = queue.next(); next; next = queue.next()) {
    if (next.pool === own.pool) {
      position++;
      isNext &&= next === own || (own.gangName !== null && isOfGang(next, own));
    }
    if (next === own) return { position, isNext };
    queue.placed(next);
  }
  return null;
}
