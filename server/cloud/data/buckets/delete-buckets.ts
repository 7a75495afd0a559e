import type { Pool } from "pg";
import type { Logger } from "pino";
import type { Counters } from "../../../engines/counters/counters";
import { addJob } from "../../../engines/jobs/add-job";
import type { MinuteTasks, Tasks } from "../../../engines/jobs/start-jobs";
import type { PrismaClient } from "../../../engines/postgres/generated/client";
import { withExclusiveLock } from "../../../engines/postgres/named-lock";
import { type AuditOrigin, appendAudit } from "../../../identity/audit/record-audit";
import { newEvent } from "../../../identity/events/record-event";
import type { Clock } from "../../../kernel/clock";
import type { Objects } from "../objects/objects";
import { bucketTarget, ownerOf, type StoredBucket, toBucket } from "./bucket";
import { bucketDeleted } from "./bucket.events";
import { publishBucketChange } from "./buckets-by-name";
import { lockedBucket } from "./locked-bucket";

/** Deletes buckets whose deletion began. Runs at once when one begins, and every minute for those of a killed process. */
export const DELETE_BUCKETS = "delete_buckets";
export const DELETE_BUCKETS_EVERY_MINUTE: MinuteTasks = {
  [DELETE_BUCKETS]: "SELECT FROM buckets WHERE deleting_since IS NOT NULL",
};

const BATCH = 1000;
/** Of one bucket in one run, so that a process stops soon; the next run follows at once. */
const BATCHES_MAX = 20;
const BUCKETS_MAX = 100;

export interface DeletionParts {
  db: PrismaClient;
  clock: Clock;
  counters: Pick<Counters, "publish">;
  objects: Pick<Objects, "empty">;
}

type TaskParts = DeletionParts & { sql: Pool; log: Pick<Logger, "warn"> };

export const deletionTasks = (parts: TaskParts): Tasks => ({ [DELETE_BUCKETS]: () => deleteBuckets(parts) });

/** Has the next run start at once; at most one waits. */
export const startDeletions = (store: Parameters<typeof addJob>[0]): Promise<void> =>
  addJob(store, { task: DELETE_BUCKETS, key: DELETE_BUCKETS }, {});

/** Empties and deletes every bucket whose deletion began; one that fails is tried again by the next run. */
async function deleteBuckets(parts: TaskParts): Promise<void> {
  const rows = await parts.db.bucket.findMany({
    where: { deletingSince: { not: null } },
    orderBy: { deletingSince: "asc" },
    take: BUCKETS_MAX,
  });
  let hasMore = false;
  for (const row of rows) {
    const work = async () => {
      if (!(await emptyAndDelete(parts, row))) hasMore = true;
    };
    await withExclusiveLock(parts.sql, `deletion of ${row.id}`, work).catch((err: unknown) =>
      parts.log.warn({ err, bucket: row.id }, "cannot delete a bucket, will try again"),
    );
  }
  if (hasMore) await startDeletions(parts.sql);
}

/** Returns false if there is more to delete. */
async function emptyAndDelete(parts: DeletionParts, row: StoredBucket): Promise<boolean> {
  for (let i = 0; i < BATCHES_MAX; i++) {
    if (!(await parts.objects.empty(row, BATCH)).isEmpty) continue;
    await removeBucket(parts, row.id, { actor: { type: "system" }, request: undefined });
    return true;
  }
  return false;
}

/** Deletes an empty bucket's row, and records it. Does nothing if the row was deleted meanwhile. */
export async function removeBucket(
  { db, clock, counters }: Pick<DeletionParts, "db" | "clock" | "counters">,
  id: string,
  by: Pick<AuditOrigin, "actor" | "request">,
): Promise<void> {
  const removed = await db.$transaction(async (tx) => {
    const row = await lockedBucket(tx, id);
    if (!row) return undefined;
    await tx.bucket.delete({ where: { id } });
    await appendAudit(
      tx,
      { tenantId: row.tenantId, at: clock.now(), ...by },
      {
        action: "bucket.deleted",
        targets: [bucketTarget(row)],
        details: { versions: Number(row.deletingTotal ?? 0n) },
        events: [newEvent(bucketDeleted, toBucket(row), ownerOf(row))],
      },
    );
    return row;
  });
  if (removed) await publishBucketChange(counters, removed.name);
}
