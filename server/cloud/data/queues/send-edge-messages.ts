import { operation } from "../../cloud-operation";
import { SEND_LIMITS } from "./message";
import type { QueueCtx } from "./queue-ctx";
import { SEND_DESCRIPTION, SendMessages, SentMessages, send, sendMessages } from "./send-messages";

/** The same as `sendMessages`, for edge functions, whose keys have the scope `edge:write`. */
export const sendEdgeMessages = operation({
  id: "sendEdgeMessages",
  summary: "Send a message, or a batch of up to 100, from an edge function",
  description: `The same queues and rules as \`POST /v1/queues/{q}/send\`, for keys with the scope \`edge:write\`. ${SEND_DESCRIPTION}`,
  access: "edge:write",
  stores: true,
  idempotent: true,
  inputLimits: SEND_LIMITS,
  elements: ({ messages }) => messages?.length ?? 1,
  requiresOneOf: ["body", "messages"],
  input: SendMessages,
  output: SentMessages,
  example: sendMessages.example,
  run: (ctx: QueueCtx, input, options) => send(ctx, input, options),
});
