import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { operation } from "../../cloud-operation";
import { findQueue } from "./find-queue";
import { figuresOf, QueueWithFigures, refOf, toQueue } from "./queue";
import { queueExample, queueWithFiguresExample } from "./queue.example";
import type { QueueCtx } from "./queue-ctx";
import { queueChoice } from "./queue-fields";

/** Returns a queue and how many messages it has. Throws `not_found`. */
export const getQueue = operation({
  id: "getQueue",
  summary: "Get a queue with its depth, in-flight messages and the age of the oldest message",
  access: "queues:read",
  input: z.strictObject(queueChoice),
  output: QueueWithFigures,
  example: { input: { q: queueExample.name }, output: queueWithFiguresExample },
  run: async (ctx: ActorCtx & Pick<QueueCtx, "queues" | "sql">, input) => {
    const row = await findQueue(ctx, input);
    const figures = await ctx.queues.figures(refOf(row));
    return { ...toQueue(row), figures: figuresOf(figures, ctx.clock.now()) };
  },
});
