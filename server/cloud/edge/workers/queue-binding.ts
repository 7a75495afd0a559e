import { z } from "zod";
import { findQueue } from "../../data/queues/find-queue";
import { messagesToSend, newMessageOf, storedBytesOf } from "../../data/queues/message";
import { refOf } from "../../data/queues/queue";
import type { BindingCtx, BindingMethods } from "./binding-methods";
import type { Binding } from "./edge-fields";

const Send = z.strictObject({ messages: messagesToSend });

/** The queue is looked up by each call, so that one that was deleted is gone. */
export const queueMethods = (ctx: BindingCtx, { queue: q }: Extract<Binding, { type: "queue" }>): BindingMethods => ({
  send: async ({ args }, { isSmokeRun }) => {
    const { messages } = Send.parse(args);
    const stored = messages.map((message, i) => newMessageOf(message, `messages[${i}].body`));
    const queue = await findQueue(ctx, { q });
    if (isSmokeRun) return {};
    await ctx.storedBytes.take(queue.tenantId, "queues", storedBytesOf(stored));
    await ctx.queues.send(refOf(queue), stored);
    return {};
  },
});
