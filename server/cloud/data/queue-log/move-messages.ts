import type { Pool } from "pg";
import { notFound } from "../../../kernel/errors";
import { copyMessages } from "./chunks.sql";
import { findDead, findMovable } from "./decide-upkeep";
import type { Message } from "./group";
import { inTurns } from "./in-turns";
import type { LiveQueue } from "./live-queue";
import { packMessages } from "./pack-messages";
import type { QueueRef } from "./queue-engine";
import type { Change, QueueReplica } from "./queue-replica";
import type { QueueState } from "./queue-state";
import { toRuns } from "./runs";

/** Messages of one transaction, and their bodies; a single message may exceed it. */
const BATCH_MAX = 500;
const BATCH_BYTES_MAX = 8 * 1024 * 1024;

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
    if (!moved) return false;
    if (!moved.hasMore) return true;
  }
}

/** Moves the oldest messages that are not in flight, at most `messagesMax`, and returns how many. */
export async function redriveMessages(sql: Pool, move: Move, messagesMax: number): Promise<number> {
  for (let total = 0; ; ) {
    const wanted = Math.min(BATCH_MAX, messagesMax - total);
    if (wanted === 0) return total;
    const moved = await moveBatch(sql, move, (state) => findMovable(state, wanted));
    if (!moved) throw notFound("queue", move.to.id);
    total += moved.count;
    if (moved.count === 0) return total;
  }
}

/** At most `BATCH_MAX` messages. */
type Choose = (state: QueueState, at: number) => Message[];

interface Moved {
  count: number;
  hasMore: boolean;
}

/** How many messages were moved, in one transaction; undefined if the other queue was deleted. */
async function moveBatch(sql: Pool, { from, to }: Move, choose: Choose): Promise<Moved | undefined> {
  const [first, second] = from.id < to.id ? [from, to] : [to, from];
  const moved = await first.exclusive(() =>
    second.exclusive(() => moveAlone(sql, { from: from.replica, to: to.replica, choose })),
  );
  if (moved && moved.count > 0) to.wakeAll();
  return moved;
}

async function moveAlone(
  sql: Pool,
  { from, to, choose }: { from: QueueReplica; to: QueueReplica; choose: Choose },
): Promise<Moved | undefined> {
  await from.open();
  await from.widen();
  const done = await inTurns(sql, [from, to], async () => {
    if (to.state.removed) return undefined;
    await from.widen();
    const chosen = choose(from.state, from.now());
    const messages = firstOf(chosen);
    const moved = { count: messages.length, hasMore: messages.length < chosen.length || chosen.length === BATCH_MAX };
    if (moved.count === 0) return { moved };
    const at = to.now();
    const packed = packMessages(
      messages.map(({ group, bytes }) => ({ groupId: group?.id, visibleFrom: 0, bytes })),
      { tail: to.state.tail, at },
    );
    const out: Change = { entry: { at: from.now(), moved: toRuns(messages.map(({ position }) => position)) } };
    const into: Change = { entry: { at, sent: moved.count }, packed };
    if (!(await from.insert(out)) || !(await to.insert(into))) throw new Error("A turn was taken out of order.");
    if (!(await copyMessages(to.sql, { queueId: from.id, messages }, { queueId: to.id, at, packed }))) {
      throw new Error("Messages that were to be moved are missing.");
    }
    return { moved, apply: () => [from.apply(out), to.apply(into)] };
  });
  done?.apply?.();
  return done?.moved;
}

/** As many of the first messages as one transaction moves. */
function firstOf(messages: readonly Message[]): Message[] {
  let [count, total] = [0, 0];
  for (const { bytes } of messages) {
    total += bytes;
    if (count > 0 && total > BATCH_BYTES_MAX) break;
    count++;
  }
  return messages.slice(0, count);
}
