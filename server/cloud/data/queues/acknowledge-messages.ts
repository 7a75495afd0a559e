import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { operation } from "../../cloud-operation";
import { findQueue } from "./find-queue";
import { refOf } from "./queue";
import type { QueueCtx } from "./queue-ctx";
import { queueChoice } from "./queue-fields";
import { outcomesOf, ReceiptOutcomes, receiptCount, receiptExample, receiptFields, receiptsOf } from "./receipts";

/** Deletes received messages. Throws `not_found`, and for a single receipt what `outcomesOf` throws. */
export const acknowledgeMessages = operation({
  id: "acknowledgeMessages",
  summary: "Acknowledge messages, which deletes them",
  description:
    "Deletes received messages, singly or up to 100 at once. A single receipt whose lease has ended fails with 409 and the reason `lease_expired`: the message was or will be delivered again. In a batch each receipt has its own outcome.",
  access: "queues:write",
  elements: receiptCount,
  requiresOneOf: ["receipt", "receipts"],
  input: z.strictObject({ ...queueChoice, ...receiptFields }),
  output: ReceiptOutcomes,
  example: receiptExample,
  run: async (ctx: ActorCtx & Pick<QueueCtx, "queues" | "sql">, input) => {
    const receipts = receiptsOf(input);
    const queue = refOf(await findQueue(ctx, input));
    return outcomesOf(input, await ctx.queues.acknowledge(queue, receipts));
  },
});
