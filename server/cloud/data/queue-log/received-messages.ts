import type { RecordsByPosition } from "./chunks.sql";
import type { Taken } from "./decide-turn";
import type { ReceivedMessage } from "./queue-engine";
import type { QueueState } from "./queue-state";
import { receiptsOf } from "./receipt";
import { readBody } from "./stored-body";

/** What a receive returns, from the lease that was just made for it and the records by position. */
export function receivedMessages(
  queueId: string,
  { lease, messages }: Taken,
  { records, state }: { records: RecordsByPosition; state: QueueState },
): ReceivedMessage[] {
  const receiptOf = receiptsOf(queueId, { lease, tag: state.leases.get(lease)?.tag ?? 0 });
  const received: ReceivedMessage[] = [];
  for (const { position, receives, slot, group } of messages) {
    const record = records.get(position);
    if (!record) continue;
    const { body, isText } = readBody(record);
    received.push({
      id: record.id,
      body,
      isText,
      groupId: group?.id,
      sentAt: new Date(record.sentAt),
      receiveCount: receives,
      receipt: receiptOf(slot),
    });
  }
  return received;
}
