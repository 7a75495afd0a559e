import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { operation } from "../../cloud-operation";
import { findQueue } from "./find-queue";
import { refOf } from "./queue";
import type { QueueCtx } from "./queue-ctx";
import { queueChoice, visibilityTimeoutSeconds } from "./queue-fields";
import { outcomesOf, ReceiptOutcomes, receiptCount, receiptExample, receiptFields, receiptsOf } from "./receipts";

/** Prolongs leases. Throws `not_found`, and for a single receipt what `outcomesOf` throws. */
export const extendMessages = operation({
  id: "extendMessages",
  summary: "Extend the visibility timeout of received messages",
  description:
    "The messages become visible again after this many seconds from now, unless they are acknowledged before; with 0 at once. Use it when the work on a message takes longer than expected.",
  access: "queues:write",
  elements: receiptCount,
  requiresOneOf: ["receipt", "receipts"],
  input: z.strictObject({
    ...queueChoice,
    ...receiptFields,
    visibility_timeout_s: visibilityTimeoutSeconds
      .optional()
      .describe("Seconds from now, 0 to 43,200; default: the visibility timeout of the queue"),
  }),
  output: ReceiptOutcomes,
  example: receiptExample,
  run: async (ctx: ActorCtx & Pick<QueueCtx, "queues" | "sql">, input) => {
    const receipts = receiptsOf(input);
    const queue = refOf(await findQueue(ctx, input));
    const seconds = input.visibility_timeout_s;
    const visibilityTimeoutMs = seconds === undefined ? queue.visibilityTimeoutMs : seconds * 1000;
    const items = receipts.map((receipt) => ({ receipt, visibilityTimeoutMs }));
    return outcomesOf(input, await ctx.queues.extend(queue, items));
  },
});
