import { z } from "zod";
import type { Prisma } from "../../../engines/postgres/generated/client";
import { recordAudit } from "../../../identity/audit/record-audit";
import { newEvent } from "../../../identity/events/record-event";
import { ownerFields } from "../../../identity/owner-fields";
import { findProject } from "../../../identity/projects/find-project";
import { ServiceError } from "../../../kernel/errors";
import { newId } from "../../../kernel/ids";
import type { Owner } from "../../../operation/actor";
import { modeOf } from "../../../operation/actor";
import { operation } from "../../cloud-operation";
import { requireDlq } from "./dlq";
import { QUEUE_ID_PREFIX, Queue, queueTarget, toQueue } from "./queue";
import { queueCreated } from "./queue.events";
import { queueExample } from "./queue.example";
import { lockQueues } from "./queue.sql";
import type { QueueCtx } from "./queue-ctx";
import { QUEUE_DEFAULTS, queueFields, visibilityTimeoutOf } from "./queue-fields";
import { QUEUE_QUOTAS } from "./queues.quotas";

/**
 * Creates a queue. Throws `not_found` for the project or `dlq`, `conflict` for a name that is taken (reason
 * `name_taken`) or a queue that is its own dead-letter queue (`dlq_cycle`), and `quota_exceeded`.
 */
export const createQueue = operation({
  id: "createQueue",
  summary: "Create a queue",
  description:
    "A queue delivers messages at least once and strictly in order: all of them, or those of each group. A message that is not acknowledged within the visibility timeout is delivered again; after `max_receives` it moves to the dead-letter queue `dlq`, if there is one.",
  access: "queues:write",
  idempotent: true,
  result: "created",
  quota: QUEUE_QUOTAS.queues,
  input: z.strictObject({
    name: queueFields.name,
    visibility_timeout_s: queueFields.visibility_timeout_s,
    visibility_timeout: queueFields.visibility_timeout,
    dlq: queueFields.dlq.optional(),
    max_receives: queueFields.max_receives.default(QUEUE_DEFAULTS.maxReceives),
    retention_s: queueFields.retention_s.default(QUEUE_DEFAULTS.retentionSeconds),
    ...ownerFields,
  }),
  output: Queue,
  example: {
    input: { name: "emails", visibility_timeout: "30s", dlq: "emails-failed" },
    output: queueExample,
  },
  run: (ctx: QueueCtx, input) => {
    const { db, clock, actor } = ctx;
    const { name } = input;
    const visibilityTimeoutSeconds = visibilityTimeoutOf(input) ?? QUEUE_DEFAULTS.visibilityTimeoutSeconds;
    return db.$transaction(async (tx) => {
      const project = await findProject(tx, actor, input.project);
      const owner = { tenantId: actor.tenantId, projectId: project.id, mode: modeOf(actor, input.mode) };
      await lockQueues(tx, project.id);
      await refuseTakenName(tx, owner, { name });
      const dlq = input.dlq === undefined ? null : await requireDlq(tx, owner, { asked: input.dlq, of: { name } });
      const now = clock.now();
      const row = await tx.queue.create({
        data: {
          id: newId(QUEUE_ID_PREFIX, now.getTime()),
          ...owner,
          name,
          visibilityTimeoutSeconds,
          retentionSeconds: input.retention_s,
          maxReceives: input.max_receives,
          dlqId: dlq?.id ?? null,
          createdAt: now,
          updatedAt: now,
        },
      });
      const queue = toQueue({ ...row, dlq });
      const event = newEvent(queueCreated, queue, owner);
      await recordAudit(tx, ctx, {
        action: "queue.created",
        targets: [queueTarget(row)],
        details: queue,
        events: [event],
      });
      return queue;
    });
  },
});

/** Throws `conflict` if another queue of the place has the name. Call it while the project's queues are locked. */
export async function refuseTakenName(
  tx: Prisma.TransactionClient,
  owner: Owner,
  { name, exceptId = "" }: { name: string; exceptId?: string },
): Promise<void> {
  const taken = await tx.queue.findFirst({ where: { ...owner, name, deletedAt: null, id: { not: exceptId } } });
  if (!taken) return;
  throw new ServiceError("conflict", `Another queue is named "${name}"; choose another name.`, {
    param: "name",
    details: { reason: "name_taken" },
  });
}
