import { z } from "zod";
import { recordAudit } from "../../../identity/audit/record-audit";
import { newEvent } from "../../../identity/events/record-event";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { ServiceError } from "../../../kernel/errors";
import { operation } from "../../cloud-operation";
import { findQueue } from "./find-queue";
import { ownerOf, queueTarget, toQueue } from "./queue";
import { queueDeleted } from "./queue.events";
import { queueExample } from "./queue.example";
import { lockQueues, scheduleRemoval } from "./queue.sql";
import type { QueueCtx } from "./queue-ctx";
import { queueChoice } from "./queue-fields";
import { lockedQueue } from "./update-queue";

/**
 * Deletes a queue with its messages; its name can be used again. Throws `not_found`, and `conflict` (reason
 * `dlq_in_use`) while it is the dead-letter queue of another one.
 */
export const deleteQueue = operation({
  id: "deleteQueue",
  summary: "Delete a queue with its messages",
  description:
    "A queue that is the dead-letter queue of another one cannot be deleted: 409 with the reason `dlq_in_use`.",
  access: "queues:write",
  input: z.strictObject(queueChoice),
  output: z.void(),
  example: { input: { q: queueExample.name }, output: undefined },
  run: async (ctx: ActorCtx & Pick<QueueCtx, "queues" | "sql">, input) => {
    const { id, projectId } = await findQueue(ctx, input);
    await ctx.db.$transaction(async (tx) => {
      await lockQueues(tx, projectId);
      const row = await lockedQueue(tx, id, input.q);
      const source = await tx.queue.findFirst({ where: { dlqId: id, deletedAt: null } });
      if (source) throw dlqInUse(source.name);
      const now = ctx.clock.now();
      await tx.queue.update({ where: { id }, data: { deletedAt: now, updatedAt: now } });
      await scheduleRemoval(tx, id);
      const event = newEvent(queueDeleted, toQueue(row), ownerOf(row));
      await recordAudit(tx, ctx, { action: "queue.deleted", targets: [queueTarget(row)], events: [event] });
    });
    await ctx.queues.remove(id);
  },
});

const dlqInUse = (name: string): ServiceError =>
  new ServiceError("conflict", `This is the dead-letter queue of "${name}"; change its dlq or delete it first.`, {
    details: { reason: "dlq_in_use", queue: name },
  });
