import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { ServiceError } from "../../../kernel/errors";
import { operation } from "../../cloud-operation";
import { findQueue } from "./find-queue";
import {
  type MessageToSend,
  messageFields,
  messagesToSend,
  newMessageOf,
  SEND_LIMITS,
  SentMessage,
  storedBytesOf,
} from "./message";
import { messageExample } from "./message.example";
import { refOf } from "./queue";
import { queueExample } from "./queue.example";
import type { QueueCtx } from "./queue-ctx";
import { queueChoice } from "./queue-fields";

const SendMessages = z.strictObject({
  ...queueChoice,
  ...messageFields,
  body: messageFields.body.optional(),
  messages: messagesToSend
    .optional()
    .describe("A batch of 1 to 100 messages, instead of `body` and the fields beside it"),
});
type SendMessages = z.output<typeof SendMessages>;

const SentMessages = z.object({
  id: SentMessage.shape.id.optional().describe("The id of the message, if the request has `body`"),
  is_duplicate: SentMessage.shape.is_duplicate.optional(),
  data: z.array(SentMessage).optional().describe("The messages in the order of the request, if it has `messages`"),
});

/** Stores messages and returns their ids. Throws `not_found`, `invalid_request`, `payload_too_large` and `quota_exceeded`. */
export const sendMessages = operation({
  id: "sendMessages",
  summary: "Send a message, or a batch of up to 100",
  description:
    "Send one message as `body`, or a batch of up to 100 as `messages`, at most 8 MiB in total. When the response arrives, all messages are stored durably, in their order; a batch is stored as a whole or not at all, and each 50 of its messages count as one request. Retry with an `Idempotency-Key`, or with a `deduplication_id` per message, so that a lost response does not send twice.",
  access: "queues:write",
  stores: true,
  idempotent: true,
  inputLimits: SEND_LIMITS,
  elements: ({ messages }) => messages?.length ?? 1,
  requiresOneOf: ["body", "messages"],
  input: SendMessages,
  output: SentMessages,
  example: {
    input: { q: queueExample.name, body: { to: "ada@example.com", template: "welcome" }, group_id: "user-42" },
    output: { id: messageExample.id, is_duplicate: false },
  },
  run: async (ctx: ActorCtx & Pick<QueueCtx, "queues" | "sql" | "storedBytes">, input, { idempotencyKey } = {}) => {
    const { messages, isBatch } = messagesOf(input);
    const own = messages.map((message, i) => newMessageOf(message, isBatch ? `messages[${i}].body` : "body"));
    // The response is stored after the messages; if the process ends between the two, a retry finds the messages.
    const stored = own.map((message, i) =>
      idempotencyKey === undefined || message.deduplicationId !== undefined
        ? message
        : { ...message, deduplicationId: `Idempotency-Key ${idempotencyKey} ${i}` },
    );
    const queue = await findQueue(ctx, input);
    await ctx.storedBytes.take(queue.tenantId, "queues", storedBytesOf(stored));
    const sent = await ctx.queues.send(refOf(queue), stored);
    const data = sent.map(({ id, isDuplicate }) => ({ id, is_duplicate: isDuplicate }));
    return isBatch ? { data } : { ...data[0] };
  },
});

const BESIDE_BODY = ["group_id", "delay_seconds", "deduplication_id"] as const;

function messagesOf(input: SendMessages): { messages: MessageToSend[]; isBatch: boolean } {
  const { body, group_id, delay_seconds, deduplication_id, messages } = input;
  if (messages === undefined) {
    if (body === undefined)
      throw invalid("body", "missing, expected a JSON object or a string (or messages, a batch).");
    return { messages: [{ body, group_id, delay_seconds, deduplication_id }], isBatch: false };
  }
  if (body !== undefined) throw invalid("messages", "the request has body too; send one of the two.");
  const beside = BESIDE_BODY.find((name) => input[name] !== undefined);
  if (beside) throw invalid(beside, "in a batch it belongs into each message.");
  return { messages, isBatch: true };
}

const invalid = (param: string, message: string): ServiceError =>
  new ServiceError("invalid_request", `${param}: ${message}`, { param });
