import type { Pool } from "pg";
import type { Prisma, Queue as QueueRow } from "../../../engines/postgres/generated/client";
import type { Mode } from "../../../operation/actor";
import type { StoredQueue } from "./queue";

const COLUMNS = `id, tenant_id AS "tenantId", project_id AS "projectId", mode, name,
  visibility_timeout_seconds AS "visibilityTimeoutSeconds", retention_seconds AS "retentionSeconds",
  max_receives AS "maxReceives", dlq_id AS "dlqId", created_at AS "createdAt", updated_at AS "updatedAt",
  deleted_at AS "deletedAt"`;

/** Which queue a request names: by its id, or by its name in one project and mode. */
export type QueueKey = { tenantId: string; id?: string; name?: string; projectId?: string; mode?: Mode };

/** Returns a queue that is not deleted, with its dead-letter queue, in one round trip: every message operation needs it. */
export async function queueByKey(
  sql: Pool,
  { tenantId, id = null, name = null, projectId = null, mode = null }: Nullable<QueueKey>,
): Promise<StoredQueue | undefined> {
  const { rows } = await sql.query<QueueRow & { isDlq: boolean }>({
    name: id === null ? "queue_by_name" : "queue_by_id",
    text: `WITH found AS (
        SELECT * FROM queues
        WHERE ${id === null ? 'name = $1 AND project_id = $3 AND mode = $4::"Mode"' : 'id = $1 AND ($3::text IS NULL OR project_id = $3) AND ($4::"Mode" IS NULL OR mode = $4::"Mode")'}
          AND tenant_id = $2 AND deleted_at IS NULL
      )
      SELECT ${COLUMNS}, false AS "isDlq" FROM found
      UNION ALL
      SELECT ${COLUMNS}, true AS "isDlq" FROM queues WHERE id = (SELECT dlq_id FROM found) AND deleted_at IS NULL`,
    values: [id ?? name, tenantId, projectId, mode],
  });
  const row = rows.find(({ isDlq }) => !isDlq);
  return row && { ...row, dlq: rows.find(({ isDlq }) => isDlq) ?? null };
}

type Nullable<T> = { [K in keyof T]: T[K] | null };

/** Serializes changes of a project's queues within transactions: names stay unique and dead-letter queues form no cycle. */
export async function lockQueues(tx: Prisma.TransactionClient, projectId: string): Promise<void> {
  await tx.$queryRaw`SELECT id FROM projects WHERE id = ${projectId} FOR NO KEY UPDATE`;
}

/** The ids of a queue and of the dead-letter queues behind it. */
export async function dlqChain(tx: Prisma.TransactionClient, id: string): Promise<string[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    WITH RECURSIVE chain AS (
      SELECT id, dlq_id FROM queues WHERE id = ${id}
      UNION
      SELECT q.id, q.dlq_id FROM queues q JOIN chain ON q.id = chain.dlq_id
    ) SELECT id FROM chain`;
  return rows.map((row) => row.id);
}

/** Has the messages of a deleted queue deleted in the background, even if this process ends right after the commit. */
export async function scheduleRemoval(tx: Prisma.TransactionClient, id: string): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO queue_sweeps (queue_id, position, seq, removed) VALUES (${id}, 0, 0, true)
    ON CONFLICT (queue_id) DO UPDATE SET removed = true`;
}
