import type { Prisma } from "../../../engines/postgres/generated/client";
import { ServiceError } from "../../../kernel/errors";
import { newId } from "../../../kernel/ids";
import { noSuchUpload } from "./object-errors";
import type { ObjectStore } from "./object-store";
import type { BucketRef } from "./objects";
import type { Sql } from "./versions.sql";

/** Versions of one transaction. */
const BATCH = 1000;
/** A completion frees up to 10,000 parts. */
const UPLOADS_BATCH = 10;

/** Deletes up to `max` versions and uploads of a bucket, the first in the order of their keys. */
export async function emptyBucket(
  store: ObjectStore,
  bucket: BucketRef,
  max: number,
): Promise<{ deleted: number; isEmpty: boolean }> {
  let deleted = 0;
  for (let left = max; left > 0; ) {
    const rows = await firstVersions(store.sql, bucket.id, Math.min(BATCH, left));
    if (rows.length === 0) return { deleted, isEmpty: await abortUploads(store, bucket, left) };
    const now = store.clock.now().getTime();
    const choices = rows.map(({ key, versionId }) => ({ key, versionId, markerId: newId("ver", now) }));
    const results = await store.commits.commit(bucket.tenantId, { kind: "delete", bucketId: bucket.id, choices });
    for (const { failure } of results) if (failure) throw failure;
    deleted += rows.filter(({ isDeleteMarker }) => !isDeleteMarker).length;
    left -= rows.length;
  }
  return { deleted, isEmpty: false };
}

/** True if no upload is left. */
async function abortUploads({ sql, commits }: ObjectStore, bucket: BucketRef, max: number): Promise<boolean> {
  for (let left = max; left > 0; left -= UPLOADS_BATCH) {
    const { rows } = await sql.query<{ id: string; key: string }>(
      `SELECT id, key FROM object_uploads WHERE bucket_id = $1 AND completed IS NULL
       ORDER BY key, id LIMIT ${UPLOADS_BATCH}`,
      [bucket.id],
    );
    if (rows.length === 0) return true;
    for (const { id, key } of rows) await abortIfThere({ commits }, bucket, { key, uploadId: id });
  }
  return false;
}

/** Aborts an upload that another process may just have completed or aborted. */
export async function abortIfThere(
  { commits }: Pick<ObjectStore, "commits">,
  { id, tenantId }: Pick<BucketRef, "id" | "tenantId">,
  upload: { key: string; uploadId: string },
): Promise<void> {
  await commits.commit(tenantId, { kind: "abort", bucketId: id, ...upload }).catch((failure: unknown) => {
    const reason = failure instanceof ServiceError ? failure.details?.reason : undefined;
    if (reason !== noSuchUpload("").details?.reason) throw failure;
  });
}

interface FoundVersion {
  key: string;
  versionId: string;
  isDeleteMarker: boolean;
}

async function firstVersions(sql: Sql, bucketId: string, max: number): Promise<FoundVersion[]> {
  const { rows } = await sql.query<FoundVersion>(
    `SELECT key, version_id AS "versionId", is_delete_marker AS "isDeleteMarker" FROM object_versions
     WHERE bucket_id = $1 ORDER BY key, rank LIMIT ${Math.trunc(max)}`,
    [bucketId],
  );
  return rows;
}

/**
 * Locks a bucket until the transaction ends, so that nothing is stored in it, and returns whether it has neither
 * versions nor delete markers. Uploads under way do not count; they end a day after their begin.
 */
export async function lockIfEmpty(tx: Prisma.TransactionClient, bucketId: string): Promise<boolean> {
  await tx.$queryRaw`SELECT id FROM buckets WHERE id = ${bucketId} FOR UPDATE`;
  // A statement of its own: it sees what was committed while the lock was waited for.
  const rows = await tx.$queryRaw<
    unknown[]
  >`SELECT 1 AS one FROM object_versions WHERE bucket_id = ${bucketId} LIMIT 1`;
  return rows.length === 0;
}

/** Whether a bucket has versions that are locked at a time; call it after `lockIfEmpty`, so that none is added. */
export async function hasLocked(tx: Prisma.TransactionClient, bucketId: string, now: Date): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    (SELECT 1 AS one FROM object_versions WHERE bucket_id = ${bucketId} AND retain_until > ${now} LIMIT 1)
    UNION ALL (SELECT 1 FROM object_versions WHERE bucket_id = ${bucketId} AND legal_hold LIMIT 1)`;
  return rows.length > 0;
}
