import { readStored } from "./chunks.sql";
import type { Message } from "./group";
import type { LiveQueue } from "./live-queue";
import type { PeekedMessage, QueueFigures } from "./queue-engine";
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
  const messages: Message[] = [];
  for (let position = state.low; position < state.loadedTo && messages.length < messagesMax; position++) {
    const message = state.messages.get(position);
    if (message) messages.push(message);
  }
  const records = await readStored(replica.sql, id, messages);
  const now = replica.now();
  return messages.flatMap((message): PeekedMessage[] => {
    const record = records.get(message.position);
    if (!record) return [];
    const state = message.lease ? "in_flight" : message.visibleFrom > now ? "delayed" : "waiting";
    return [
      {
        id: record.id,
        groupId: message.group?.id,
        ...readBody(record),
        sentAt: new Date(record.sentAt),
        receiveCount: message.receives,
        state,
      },
    ];
  });
}
