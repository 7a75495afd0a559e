import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { operation } from "../../cloud-operation";
import { findQueue } from "./find-queue";
import { refOf } from "./queue";
import type { QueueCtx } from "./queue-ctx";
import { DELAY_SECONDS_MAX, queueChoice } from "./queue-fields";
import { outcomesOf, ReceiptOutcomes, receiptCount, receiptExample, receiptFields, receiptsOf } from "./receipts";

/** Makes received messages visible again. Throws `not_found`, and for a single receipt what `outcomesOf` throws. */
export const returnMessages = operation({
  id: "returnMessages",
  summary: "Return messages that were not handled, so that they are delivered again",
  description:
    "The messages become visible again at once or after `delay_seconds`, ahead of later ones of their group. A returned message counts as received: after `max_receives` it moves to the dead-letter queue.",
  access: "queues:write",
  elements: receiptCount,
  requiresOneOf: ["receipt", "receipts"],
  input: z.strictObject({
    ...queueChoice,
    ...receiptFields,
    delay_seconds: z
      .int()
      .min(0)
      .max(DELAY_SECONDS_MAX)
      .default(0)
      .describe("The messages become visible after this many seconds, 0 to 900, default 0"),
  }),
  output: ReceiptOutcomes,
  example: receiptExample,
  run: async (ctx: ActorCtx & Pick<QueueCtx, "queues" | "sql">, input) => {
    const receipts = receiptsOf(input);
    const queue = refOf(await findQueue(ctx, input));
    const items = receipts.map((receipt) => ({ receipt, delayMs: input.delay_seconds * 1000 }));
    return outcomesOf(input, await ctx.queues.giveBack(queue, items));
  },
});
