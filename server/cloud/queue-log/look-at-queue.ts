import type { Message } from "./group";
import type { LiveQueue } from "./live-queue";
import type { PeekedMessage, QueueFigures } from "./queue-engine";
import { readBodies } from "./queue-log.sql";
import { readBody } from "./stored-body";

/** The figures of a queue whose state is current. */
export function figuresOf({ replica }: LiveQueue): QueueFigures {
  const { state } = replica;
  const now = replica.now();
  let delayed = 0;
  for (const [visibleFrom, count] of state.delays) if (visibleFrom > now) delayed += count;
  for (const message of state.messages.values()) {
    if (message.receives > 0 && !message.lease && message.visibleFrom > now) delayed++;
  }
  const oldest = state.messages.get(state.low);
  return {
    waiting: Math.max(0, state.live - state.inFlight - delayed),
    delayed,
    inFlight: state.inFlight,
    oldestAt: oldest ? new Date(oldest.storedAt) : undefined,
  };
}

/** The oldest messages of a queue whose state is current. */
export async function peekMessages({ id, replica }: LiveQueue, messagesMax: number): Promise<PeekedMessage[]> {
  await replica.widenTo(replica.state.inFlight + messagesMax);
  const { state } = replica;
  const messages = new Map<number, Message>();
  for (let position = state.low; position < state.loadedTo && messages.size < messagesMax; position++) {
    const message = state.messages.get(position);
    if (message) messages.set(position, message);
  }
  const rows = await readBodies(replica.sql, id, [...messages.keys()]);
  const now = replica.now();
  return rows.map((row) => {
    const message = messages.get(row.position);
    const state = message?.lease ? "in_flight" : (message?.visibleFrom ?? 0) > now ? "delayed" : "waiting";
    const { id, groupId } = row;
    return {
      ...{ id, groupId, ...readBody(row), sentAt: new Date(row.sentAt) },
      ...{ receiveCount: message?.receives ?? 0, state },
    };
  });
}
