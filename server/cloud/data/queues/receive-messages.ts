import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { integerInQuery } from "../../../kernel/integer-in-query";
import type { CallOptions } from "../../../operation/operation";
import { operation } from "../../cloud-operation";
import { findQueue } from "./find-queue";
import { MESSAGES_MAX, Message, toMessage } from "./message";
import { messageExample } from "./message.example";
import { refOf } from "./queue";
import { queueExample } from "./queue.example";
import type { QueueCtx } from "./queue-ctx";
import { queueChoice, VISIBILITY_TIMEOUT_SECONDS_MAX } from "./queue-fields";
import { receiveFor } from "./receive-for";

export const WAIT_SECONDS_MAX = 20;

export const receiveTexts = {
  max_messages: "At most this many messages, 1 to 100, default 1",
  wait_seconds: "If there is no message, wait up to this many seconds for one, 0 to 20, default 0",
  visibility_timeout_s: "The visibility timeout of these messages, in seconds; default: that of the queue",
};

export const ReceivedMessages = z.object({
  data: z.array(Message).describe("Oldest first within each group; empty if there is no message"),
});
export type ReceivedMessages = z.input<typeof ReceivedMessages>;

export const RECEIVE_DESCRIPTION =
  "Received messages are invisible to others until their visibility timeout ends; acknowledge each one by its `receipt` before that, or it is delivered again. While messages of a group are in flight, later ones of that group wait. The call changes the queue, so a client must not repeat it on its own: what a lost response contained becomes visible again after the timeout. When a client disconnects while it waits or before the response was sent, its messages become visible again at once.";

/** What both routes ask for. */
export interface ReceiveInput {
  q: string;
  mode?: "test" | "live" | undefined;
  project?: string | undefined;
  max_messages: number;
  wait_seconds: number;
  visibility_timeout_s?: number | undefined;
}

/** Returns messages, for which it waits as long as asked. Throws `not_found`. */
export const receiveMessages = operation({
  id: "receiveMessages",
  summary: "Receive messages, and wait for them if there are none",
  description: RECEIVE_DESCRIPTION,
  access: "queues:write",
  takesLong: true,
  input: z.strictObject({
    ...queueChoice,
    max_messages: integerInQuery(1, MESSAGES_MAX).default(1).describe(receiveTexts.max_messages),
    wait_seconds: integerInQuery(0, WAIT_SECONDS_MAX).default(0).describe(receiveTexts.wait_seconds),
    visibility_timeout_s: integerInQuery(0, VISIBILITY_TIMEOUT_SECONDS_MAX)
      .optional()
      .describe(receiveTexts.visibility_timeout_s),
  }),
  output: ReceivedMessages,
  example: { input: { q: queueExample.name, max_messages: 10, wait_seconds: 20 }, output: { data: [messageExample] } },
  run: (ctx: ActorCtx & Pick<QueueCtx, "queues" | "sql" | "stopping">, input, options) => receive(ctx, input, options),
});

/** The same for the route of edge functions. */
export async function receive(
  ctx: ActorCtx & Pick<QueueCtx, "queues" | "sql" | "stopping">,
  input: ReceiveInput,
  options: CallOptions = {},
): Promise<ReceivedMessages> {
  // Read first: it is created on demand, and would otherwise miss a client that disconnects meanwhile.
  const { signal } = options;
  const queue = refOf(await findQueue(ctx, input));
  const messages = await receiveFor(ctx, queue, {
    messagesMax: input.max_messages,
    waitMs: input.wait_seconds * 1000,
    ...(input.visibility_timeout_s !== undefined && { visibilityTimeoutMs: input.visibility_timeout_s * 1000 }),
    signal,
  });
  return { data: messages.map(toMessage) };
}
