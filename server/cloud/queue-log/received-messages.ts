import type { Taken } from "./decide-turn";
import type { ReceivedMessage } from "./queue-engine";
import type { BodyRow } from "./queue-log.sql";
import type { QueueState } from "./queue-state";
import { writeReceipt } from "./receipt";
import { readBody } from "./stored-body";

/** What a receive returns, from the lease that was just made for it and the bodies by position. */
export function receivedMessages(
  queueId: string,
  { lease: id, messages }: Taken,
  { stored, state }: { stored: ReadonlyMap<number, BodyRow>; state: QueueState },
): ReceivedMessage[] {
  const tag = state.leases.get(id)?.tag ?? 0;
  return messages.flatMap(({ position, receives, slot }) => {
    const row = stored.get(position);
    if (!row) return [];
    const receipt = writeReceipt(queueId, { lease: id, tag, slot });
    return [
      {
        ...readBody(row),
        id: row.id,
        groupId: row.groupId,
        sentAt: new Date(row.sentAt),
        receiveCount: receives,
        receipt,
      },
    ];
  });
}
