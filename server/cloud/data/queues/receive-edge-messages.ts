import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { operation } from "../../cloud-operation";
import { MESSAGES_MAX } from "./message";
import { messageExample } from "./message.example";
import { queueExample } from "./queue.example";
import type { QueueCtx } from "./queue-ctx";
import { queueChoice, visibilityTimeoutSeconds } from "./queue-fields";
import { RECEIVE_DESCRIPTION, ReceivedMessages, receive, receiveTexts, WAIT_SECONDS_MAX } from "./receive-messages";

/** The same as `receiveMessages`, for edge functions, whose keys have the scope `edge:write`. */
export const receiveEdgeMessages = operation({
  id: "receiveEdgeMessages",
  summary: "Receive messages in an edge function",
  description: `The same queues and rules as \`GET /v1/queues/{q}/receive\`, for keys with the scope \`edge:write\`. ${RECEIVE_DESCRIPTION}`,
  access: "edge:write",
  input: z.strictObject({
    ...queueChoice,
    max_messages: z.int().min(1).max(MESSAGES_MAX).default(1).describe(receiveTexts.max_messages),
    wait_seconds: z.int().min(0).max(WAIT_SECONDS_MAX).default(0).describe(receiveTexts.wait_seconds),
    visibility_timeout_s: visibilityTimeoutSeconds.optional().describe(receiveTexts.visibility_timeout_s),
  }),
  output: ReceivedMessages,
  example: {
    input: { q: queueExample.name, max_messages: 10, wait_seconds: 20 },
    output: { data: [messageExample] },
  },
  run: (ctx: ActorCtx & Pick<QueueCtx, "queues" | "sql" | "stopping">, input, options) => receive(ctx, input, options),
});
