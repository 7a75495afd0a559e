import type { Prisma } from "../../../engines/postgres/generated/client";
import { findProject } from "../../../identity/projects/find-project";
import { type Actor, modeOf } from "../../../operation/actor";
import { noSuchQueue, QUEUE_ID_PREFIX, type StoredQueue } from "./queue";
import { type QueueKey, queueByKey } from "./queue.sql";
import type { QueueCtx } from "./queue-ctx";
import type { QueueChoice } from "./queue-fields";

/**
 * Returns the queue that a request names. A key sees those of its own project and mode; a person sees all of the tenant
 * by id, and by name those of one project and mode. Throws `not_found`.
 */
export async function findQueue(
  { db, sql, actor }: Pick<QueueCtx, "db" | "sql" | "actor">,
  choice: QueueChoice,
): Promise<StoredQueue> {
  const found = await queueByKey(sql, await keyOf(db, actor, choice));
  if (!found) throw noSuchQueue(choice.q);
  return found;
}

/** Ids begin with a prefix that names may not have. */
export const isQueueId = (text: string): boolean => text.startsWith(`${QUEUE_ID_PREFIX}_`);

async function keyOf(db: Prisma.TransactionClient, actor: Actor, { q, mode, project }: QueueChoice): Promise<QueueKey> {
  const { tenantId } = actor;
  const named = isQueueId(q) ? { id: q } : { name: q };
  if (actor.kind === "key") {
    // Throws for another project, as everywhere.
    if (project !== undefined) await findProject(db, actor, project);
    return { tenantId, ...named, projectId: actor.projectId, mode: actor.mode };
  }
  if (isQueueId(q)) return { tenantId, id: q };
  const { id: projectId } = await findProject(db, actor, project);
  return { tenantId, name: q, projectId, mode: modeOf(actor, mode) };
}
