import type { Prisma, Queue as QueueRow } from "../../../engines/postgres/generated/client";
import { ServiceError } from "../../../kernel/errors";
import type { Owner } from "../../../operation/actor";
import { isQueueId } from "./find-queue";
import { noSuchQueue } from "./queue";
import { dlqChain } from "./queue.sql";

/** Returns a queue of the same place by its id or name. Throws `not_found` with `param`. */
export async function queueBeside(
  tx: Prisma.TransactionClient,
  { tenantId, projectId, mode }: Owner,
  { asked, param }: { asked: string; param: string },
): Promise<QueueRow> {
  const named = isQueueId(asked) ? { id: asked } : { name: asked };
  const row = await tx.queue.findFirst({ where: { tenantId, projectId, mode, deletedAt: null, ...named } });
  if (!row) throw noSuchQueue(asked, param);
  return row;
}

/**
 * Returns the queue that shall be the dead-letter queue of another one. Call it while the project's queues are locked.
 * Throws `not_found`, and `conflict` (reason `dlq_cycle`) if messages would return to where they came from.
 */
export async function requireDlq(
  tx: Prisma.TransactionClient,
  owner: Owner,
  { asked, of }: { asked: string; of: { id?: string; name: string } },
): Promise<QueueRow> {
  if (asked === of.name) throw dlqCycle("A queue cannot be its own dead-letter queue; name another queue.");
  const dlq = await queueBeside(tx, owner, { asked, param: "dlq" });
  if (of.id === undefined) return dlq;
  if (dlq.id === of.id) throw dlqCycle("A queue cannot be its own dead-letter queue; name another queue.");
  if ((await dlqChain(tx, dlq.id)).includes(of.id)) {
    throw dlqCycle(`Messages of "${dlq.name}" already end in this queue; dead-letter queues must not form a cycle.`);
  }
  return dlq;
}

const dlqCycle = (message: string): ServiceError =>
  new ServiceError("conflict", message, { param: "dlq", details: { reason: "dlq_cycle" } });
