import { createHash } from "node:crypto";

const PREFIX = "rcp_";
const BYTES = 20;

export interface ReceiptParts {
  lease: number;
  tag: number;
  slot: number;
}

/** Opaque texts that name the places of a lease; what they say is checked against the queue's state. */
export function receiptsOf(queueId: string, { lease, tag }: Omit<ReceiptParts, "slot">): (slot: number) => string {
  const bytes = Buffer.alloc(BYTES);
  markOf(queueId).copy(bytes);
  bytes.writeUIntBE(lease, 6, 6);
  bytes.writeUIntBE(tag, 12, 6);
  return (slot) => {
    bytes.writeUInt16BE(slot, 18);
    return PREFIX + bytes.toString("base64url");
  };
}

/** Undefined for text that is no receipt of this queue. */
export function readReceipt(queueId: string, text: string): ReceiptParts | undefined {
  if (text.length > 64 || !text.startsWith(PREFIX)) return undefined;
  const bytes = Buffer.from(text.slice(PREFIX.length), "base64url");
  if (bytes.length !== BYTES || !markOf(queueId).equals(bytes.subarray(0, 6))) return undefined;
  if (PREFIX + bytes.toString("base64url") !== text) return undefined;
  return { lease: bytes.readUIntBE(6, 6), tag: bytes.readUIntBE(12, 6), slot: bytes.readUInt16BE(18) };
}

let lastMark = { queueId: "", mark: Buffer.alloc(0) };

/** Six bytes that tell queues apart. */
function markOf(queueId: string): Buffer {
  if (lastMark.queueId !== queueId) {
    lastMark = { queueId, mark: createHash("sha256").update(queueId).digest().subarray(0, 6) };
  }
  return lastMark.mark;
}
