import { z } from "zod";
import { ServiceError } from "../../../kernel/errors";
import { exactJson, parseExact } from "../../../kernel/exact-number";
import type { NewMessage, PeekedMessage as PeekedRecord, ReceivedMessage } from "../queue-log/queue-engine";
import { DELAY_SECONDS_MAX } from "./queue-fields";

/** Specification, "Limits": 256 KiB. */
export const BODY_BYTES_MAX = 256 * 1024;
export const MESSAGES_MAX = 100;

/** A value may have many small parts, but no more than a body of 256 KiB can hold three times. */
export const SEND_LIMITS = { bytes: 8 * 1024 * 1024, nodes: 400_000, depth: 100 } as const;

const MessageBody = z
  .union([z.string(), z.record(z.string(), z.unknown())], { error: "expected a JSON object or a string" })
  .describe(
    "A JSON object or a string, at most 256 KiB in UTF-8. Numbers keep all their digits, also integers beyond 2^53",
  );
type MessageBody = z.output<typeof MessageBody>;

const shortText = z.string().min(1).max(128);

/** One message to send. */
export const messageFields = {
  body: MessageBody,
  group_id: shortText
    .optional()
    .describe(
      "Messages of one group are delivered strictly in order, one receive after the other; groups do not wait for each other. All messages without it are one group",
    ),
  delay_seconds: z
    .int()
    .min(0)
    .max(DELAY_SECONDS_MAX)
    .optional()
    .describe("The message becomes visible after this many seconds, 0 to 900"),
  deduplication_id: shortText
    .optional()
    .describe("Within five minutes a message with the same id is accepted but not stored again"),
};
const MessageToSend = z.strictObject(messageFields);
export type MessageToSend = z.output<typeof MessageToSend>;
export const messagesToSend = z.array(MessageToSend).min(1).max(MESSAGES_MAX);

export const SentMessage = z.object({
  id: z.string().meta({ examples: ["msg_01jd0z3k5q8v6w2x4y7a9b1c3d"] }),
  is_duplicate: z
    .boolean()
    .describe("Whether a message with this deduplication id was sent before; `id` is then the id of that message"),
});

/** A received message. */
export const Message = z
  .object({
    id: z.string(),
    body: MessageBody,
    group_id: z.string().nullable(),
    receive_count: z.int().describe("How often it was received, this time included"),
    sent_at: z.iso.datetime(),
    receipt: z.string().describe("Acknowledges, extends or returns the message; valid until it becomes visible again"),
  })
  .meta({ id: "Message" });
export type Message = z.input<typeof Message>;

export const PeekedMessage = Message.omit({ receipt: true })
  .extend({ state: z.enum(["waiting", "delayed", "in_flight"]) })
  .meta({ id: "PeekedMessage" });
export type PeekedMessage = z.input<typeof PeekedMessage>;

/** Of a message beside its body. */
const HEAD_BYTES = 100;

/** About what messages take in the queue. */
export const storedBytesOf = (messages: readonly Pick<NewMessage, "body">[]): number =>
  messages.reduce((sum, { body }) => sum + Buffer.byteLength(body) + HEAD_BYTES, 0);

/** The message as it is stored. Throws `payload_too_large` with `param`, the path of its body. */
export function newMessageOf(
  { body, group_id: groupId, delay_seconds: delaySeconds, deduplication_id: deduplicationId }: MessageToSend,
  param: string,
): NewMessage {
  const isText = typeof body === "string";
  const text = isText ? body : exactJson(body);
  if (Buffer.byteLength(text) > BODY_BYTES_MAX) {
    throw new ServiceError("payload_too_large", `${param}: expected a message body of at most 256 KiB.`, { param });
  }
  return {
    body: text,
    isText,
    ...(groupId !== undefined && { groupId }),
    ...(delaySeconds !== undefined && { delayMs: delaySeconds * 1000 }),
    ...(deduplicationId !== undefined && { deduplicationId }),
  };
}

export const toMessage = (message: ReceivedMessage): Message => ({ ...shown(message), receipt: message.receipt });

export const toPeekedMessage = (message: PeekedRecord): PeekedMessage => ({ ...shown(message), state: message.state });

const shown = ({ id, body, isText, groupId, receiveCount, sentAt }: Omit<ReceivedMessage, "receipt">) => ({
  id,
  body: isText ? body : (parseExact(body) as MessageBody),
  group_id: groupId ?? null,
  receive_count: receiveCount,
  sent_at: sentAt.toISOString(),
});
