import { z } from "zod";
import type { Prisma } from "../../../engines/postgres/generated/client";
import { recordUpdate } from "../../../identity/audit/record-update";
import { newEvent } from "../../../identity/events/record-event";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { operation } from "../../cloud-operation";
import { refuseTakenName } from "./create-queue";
import { requireDlq } from "./dlq";
import { findQueue } from "./find-queue";
import { noSuchQueue, ownerOf, Queue, queueTarget, type StoredQueue, toQueue } from "./queue";
import { queueUpdated } from "./queue.events";
import { queueExample } from "./queue.example";
import { lockQueues } from "./queue.sql";
import type { QueueCtx } from "./queue-ctx";
import { queueChoice, queueFields, visibilityTimeoutOf } from "./queue-fields";

export const UpdateQueue = z.strictObject({
  ...queueChoice,
  name: queueFields.name.optional(),
  visibility_timeout_s: queueFields.visibility_timeout_s,
  visibility_timeout: queueFields.visibility_timeout,
  dlq: queueFields.dlq.nullish().describe("The dead-letter queue, by id or name; null removes it"),
  max_receives: queueFields.max_receives.optional(),
  retention_s: queueFields.retention_s.optional(),
});
type UpdateQueue = z.output<typeof UpdateQueue>;

/**
 * Changes the given settings, which apply to messages from their next receive on. Throws `not_found` for the queue or
 * `dlq`, and `conflict` for a name that is taken (`name_taken`) or a cycle of dead-letter queues (`dlq_cycle`).
 */
export const updateQueue = operation({
  id: "updateQueue",
  summary: "Update a queue",
  description: "Changes apply to messages from their next receive on. Messages stay, also when the name changes.",
  access: "queues:write",
  input: UpdateQueue,
  output: Queue,
  example: { input: { q: queueExample.name, max_receives: 10 }, output: { ...queueExample, max_receives: 10 } },
  run: async (ctx: ActorCtx & Pick<QueueCtx, "sql">, input) => {
    const visibilityTimeoutSeconds = visibilityTimeoutOf(input);
    const { id, projectId } = await findQueue(ctx, input);
    return ctx.db.$transaction(async (tx) => {
      await lockQueues(tx, projectId);
      const before = await lockedQueue(tx, id, input.q);
      if (input.name !== undefined) await refuseTakenName(tx, ownerOf(before), { name: input.name, exceptId: id });
      const dlq = await changedDlq(tx, before, input);
      const now = ctx.clock.now();
      const row = await tx.queue.update({
        where: { id },
        data: {
          ...(input.name !== undefined && { name: input.name }),
          ...(visibilityTimeoutSeconds !== undefined && { visibilityTimeoutSeconds }),
          ...(input.max_receives !== undefined && { maxReceives: input.max_receives }),
          ...(input.retention_s !== undefined && { retentionSeconds: input.retention_s }),
          dlqId: dlq?.id ?? null,
          updatedAt: now,
        },
      });
      const [old, queue] = [toQueue(before), toQueue({ ...row, dlq })];
      const event = (changed: string[]) => newEvent(queueUpdated, { ...queue, changed }, ownerOf(row));
      await recordUpdate(tx, ctx, { target: queueTarget(row), before: old, after: queue, event });
      return queue;
    });
  },
});

/** Reads a queue again after its project was locked; it may have been deleted since. */
export async function lockedQueue(tx: Prisma.TransactionClient, id: string, asked: string): Promise<StoredQueue> {
  const row = await tx.queue.findFirst({ where: { id, deletedAt: null } });
  if (!row) throw noSuchQueue(asked);
  return { ...row, dlq: row.dlqId === null ? null : await tx.queue.findUnique({ where: { id: row.dlqId } }) };
}

async function changedDlq(tx: Prisma.TransactionClient, before: StoredQueue, { dlq, name }: UpdateQueue) {
  if (dlq === undefined) return before.dlq;
  if (dlq === null) return null;
  return requireDlq(tx, ownerOf(before), { asked: dlq, of: { id: before.id, name: name ?? before.name } });
}
