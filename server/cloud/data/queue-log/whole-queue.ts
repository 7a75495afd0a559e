import type { Pool } from "pg";
import { notFound } from "../../../kernel/errors";
import { inTurns } from "./in-turns";
import type { LiveQueue } from "./live-queue";
import type { QueueRef } from "./queue-engine";
import { writeSnapshot } from "./snapshot";
import { insertSnapshot, markRemoved } from "./snapshots.sql";

/** What `look` makes of the current state. Turns come in between while a large queue is loaded. */
export async function lookAt<T>(
  queue: LiveQueue,
  ref: QueueRef,
  look: (queue: LiveQueue) => T | Promise<T>,
): Promise<T> {
  for (;;) {
    const looked = await queue.exclusive(async () => {
      await openCurrent(queue);
      if (!(await queue.replica.widenSome()) || (await queue.keepUp(ref)) === undefined) return undefined;
      return { result: await look(queue) };
    });
    if (looked) return looked.result;
  }
}

/** Deletes all messages. */
export function purgeQueue(queue: LiveQueue): Promise<{ purged: number }> {
  const { replica } = queue;
  return queue.exclusive(async () => {
    for (;;) {
      await openCurrent(queue);
      const { live: purged, tail: floor } = replica.state;
      if (purged === 0 || (await replica.append({ entry: { at: replica.now(), floor } }))) return { purged };
    }
  });
}

/** Ends the queue permanently. Its last snapshot stays and says so, also when all other rows are deleted. */
export async function removeQueue(sql: Pool, queue: LiveQueue): Promise<void> {
  const { replica, id: queueId } = queue;
  const remove = async () => {
    const { removed, tail: floor } = replica.state;
    if (removed) return;
    await replica.append({ entry: { at: replica.now(), floor, removed: true } });
    await insertSnapshot(replica.sql, { queueId, seq: replica.seq, state: writeSnapshot(replica.state) });
    await markRemoved(replica.sql, queueId);
  };
  await queue.exclusive(() => inTurns(sql, [replica], remove));
  queue.wakeAll();
}

async function openCurrent({ id, replica }: LiveQueue): Promise<void> {
  await replica.catchUp();
  if (replica.state.removed) throw notFound("queue", id);
}
