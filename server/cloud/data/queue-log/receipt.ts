import { createHash } from "node:crypto";

const PREFIX = "rcp_";
/** Six bytes each for the queue, the lease and the tag, which base64url writes without a rest. */
const HEAD_BYTES = 18;
const HEAD_CHARS = PREFIX.length + (HEAD_BYTES / 3) * 4;
/** Two bytes for the slot, and two bits that are 0. */
const SLOT_CHARS = 3;
const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

interface ReceiptHead {
  lease: number;
  tag: number;
}

export interface ReceiptParts extends ReceiptHead {
  slot: number;
}

/** Opaque texts that name the slots of a lease; what they say is checked against the queue's state. */
export function receiptsOf(queueId: string, { lease, tag }: ReceiptHead): (slot: number) => string {
  const bytes = Buffer.alloc(HEAD_BYTES);
  markOf(queueId).copy(bytes);
  bytes.writeUIntBE(lease, 6, 6);
  bytes.writeUIntBE(tag, 12, 6);
  const head = PREFIX + bytes.toString("base64url");
  return (slot) => head + DIGITS.charAt(slot >> 10) + DIGITS.charAt((slot >> 4) & 63) + DIGITS.charAt((slot & 15) << 2);
}

/** Undefined for text that is no receipt of this queue. Neighbours of one lease take the least time. */
export function readReceipts(queueId: string, texts: readonly string[]): (ReceiptParts | undefined)[] {
  let known: { text: string; head: ReceiptHead | undefined } = { text: "", head: undefined };
  return texts.map((text) => {
    if (text.length !== HEAD_CHARS + SLOT_CHARS) return undefined;
    const headText = text.slice(0, HEAD_CHARS);
    if (headText !== known.text) known = { text: headText, head: readHead(queueId, headText) };
    const slot = readSlot(text);
    return known.head && slot !== undefined ? { lease: known.head.lease, tag: known.head.tag, slot } : undefined;
  });
}

function readHead(queueId: string, text: string): ReceiptHead | undefined {
  if (!text.startsWith(PREFIX)) return undefined;
  const bytes = Buffer.from(text.slice(PREFIX.length), "base64url");
  if (bytes.length !== HEAD_BYTES || !markOf(queueId).equals(bytes.subarray(0, 6))) return undefined;
  if (PREFIX + bytes.toString("base64url") !== text) return undefined;
  return { lease: bytes.readUIntBE(6, 6), tag: bytes.readUIntBE(12, 6) };
}

function readSlot(text: string): number | undefined {
  const high = DIGITS.indexOf(text.charAt(HEAD_CHARS));
  const middle = DIGITS.indexOf(text.charAt(HEAD_CHARS + 1));
  const low = DIGITS.indexOf(text.charAt(HEAD_CHARS + 2));
  if (high < 0 || middle < 0 || low < 0 || low & 3) return undefined;
  return (high << 10) | (middle << 4) | (low >> 2);
}

let lastMark = { queueId: "", mark: Buffer.alloc(0) };

/** Six bytes that tell queues apart. */
function markOf(queueId: string): Buffer {
  if (lastMark.queueId !== queueId) {
    lastMark = { queueId, mark: createHash("sha256").update(queueId).digest().subarray(0, 6) };
  }
  return lastMark.mark;
}
