import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { integerInQuery } from "../../../kernel/integer-in-query";
import { operation } from "../../cloud-operation";
import { findQueue } from "./find-queue";
import { MESSAGES_MAX, PeekedMessage, toPeekedMessage } from "./message";
import { peekedMessageExample } from "./message.example";
import { refOf } from "./queue";
import { queueExample } from "./queue.example";
import type { QueueCtx } from "./queue-ctx";
import { queueChoice } from "./queue-fields";

/** Returns the oldest messages of a queue and changes nothing. Throws `not_found`. */
export const peekMessages = operation({
  id: "peekMessages",
  summary: "Look at the oldest messages of a queue without receiving them",
  description:
    "Shows waiting, delayed and in-flight messages, oldest first, without receipts. Nothing changes: the messages stay visible, and this does not count as a receive.",
  access: "queues:read",
  input: z.strictObject({
    ...queueChoice,
    max_messages: integerInQuery(1, MESSAGES_MAX)
      .default(10)
      .describe("At most this many messages, 1 to 100, default 10"),
  }),
  output: z.object({ data: z.array(PeekedMessage) }),
  example: { input: { q: queueExample.name, max_messages: 10 }, output: { data: [peekedMessageExample] } },
  run: async (ctx: ActorCtx & Pick<QueueCtx, "queues" | "sql">, input) => {
    const queue = refOf(await findQueue(ctx, input));
    return { data: (await ctx.queues.peek(queue, input.max_messages)).map(toPeekedMessage) };
  },
});
