import { z } from "zod";
import { recordAudit } from "../../../identity/audit/record-audit";
import { newEvent } from "../../../identity/events/record-event";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { operation } from "../../cloud-operation";
import { findQueue } from "./find-queue";
import { ownerOf, queueTarget, refOf, toQueue } from "./queue";
import { queuePurged } from "./queue.events";
import { queueExample } from "./queue.example";
import type { QueueCtx } from "./queue-ctx";
import { queueChoice } from "./queue-fields";

/** Deletes every message of a queue, also received and delayed ones. Throws `not_found`. */
export const purgeQueue = operation({
  id: "purgeQueue",
  summary: "Delete all messages of a queue",
  description:
    "Also deletes received and delayed messages; their receipts end. Messages that are sent during the call may stay. Deleted messages cannot be restored.",
  access: "queues:write",
  input: z.strictObject(queueChoice),
  output: z.object({ purged: z.int().describe("The number of deleted messages") }),
  example: { input: { q: queueExample.name }, output: { purged: 1200 } },
  run: async (ctx: ActorCtx & Pick<QueueCtx, "queues" | "sql">, input) => {
    const row = await findQueue(ctx, input);
    const { purged } = await ctx.queues.purge(refOf(row));
    await ctx.db.$transaction(async (tx) => {
      const event = newEvent(queuePurged, { ...toQueue(row), purged }, ownerOf(row));
      await recordAudit(tx, ctx, {
        action: "queue.purged",
        targets: [queueTarget(row)],
        details: { purged },
        events: [event],
      });
    });
    return { purged };
  },
});
