import type { Pool } from "pg";
import { notFound } from "../../kernel/errors";
import { findDead, findMovable } from "./decide-upkeep";
import type { Message } from "./group";
import { inTurns } from "./in-turns";
import type { LiveQueue } from "./live-queue";
import type { QueueRef } from "./queue-engine";
import { copyMessages } from "./queue-log.sql";
import type { Change, QueueReplica } from "./queue-replica";
import type { QueueState } from "./queue-state";
import { toRuns } from "./runs";

/** Messages of one transaction. */
const BATCH_MAX = 500;

interface Move {
  from: LiveQueue;
  to: LiveQueue;
}

/** Moves all messages that were received too often. False if the dead-letter queue was deleted. */
export async function moveDead(sql: Pool, move: Move, { maxReceives }: QueueRef): Promise<boolean> {
  for (;;) {
    const moved = await moveBatch(sql, move, (state, at) =>
      findDead(state, at, { receivesMax: maxReceives, messagesMax: BATCH_MAX }),
    );
    if (moved === undefined) return false;
    if (moved < BATCH_MAX) return true;
  }
}

/** Moves the oldest messages that are not in flight, at most `messagesMax`, and returns how many. */
export async function redriveMessages(sql: Pool, move: Move, messagesMax: number): Promise<number> {
  for (let total = 0; ; ) {
    const wanted = Math.min(BATCH_MAX, messagesMax - total);
    const moved = wanted > 0 ? await moveBatch(sql, move, (state) => findMovable(state, wanted)) : 0;
    if (moved === undefined) throw notFound("queue", move.to.id);
    total += moved;
    if (moved === 0) return total;
  }
}

type Choose = (state: QueueState, at: number) => Message[];

/** How many messages were moved, in one transaction; undefined if the other queue was deleted. */
async function moveBatch(sql: Pool, { from, to }: Move, choose: Choose): Promise<number | undefined> {
  const [first, second] = from.id < to.id ? [from, to] : [to, from];
  const moved = await first.exclusive(() =>
    second.exclusive(() => moveAlone(sql, { from: from.replica, to: to.replica, choose })),
  );
  if (moved) to.wakeAll();
  return moved;
}

async function moveAlone(
  sql: Pool,
  { from, to, choose }: { from: QueueReplica; to: QueueReplica; choose: Choose },
): Promise<number | undefined> {
  await from.open();
  await from.widen();
  const moved = await inTurns(sql, [from, to], async () => {
    if (to.state.removed) return undefined;
    await from.widen();
    const messages = choose(from.state, from.now());
    if (messages.length === 0) return { count: 0 };
    const positions = messages.map(({ position }) => position);
    const at = to.now();
    const out: Change = { entry: { at: from.now(), moved: toRuns(positions) } };
    const into: Change = { entry: { at, sent: messages.length } };
    if (!(await from.insert(out)) || !(await to.insert(into))) throw new Error("A turn was taken out of order.");
    const { tail } = to.state;
    if (!(await copyMessages(to.sql, { queueId: from.id, positions }, { queueId: to.id, tail, at }))) {
      throw new Error("Messages that were to be moved are missing.");
    }
    const rows = messages.map(({ group, bytes }, i) => ({
      ...{ position: tail + i, groupId: group?.id, visibleFrom: 0, storedAt: at, bytes },
    }));
    return { count: messages.length, apply: () => [from.apply(out), to.apply(into, rows)] };
  });
  moved?.apply?.();
  return moved?.count;
}
