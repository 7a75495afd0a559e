import { isVisible, noSuchBucket, type StoredBucket } from "./bucket";
import type { BucketCtx } from "./bucket-ctx";

/** Ids have an underscore, which names may not have. */
const choiceOf = (asked: string) => (asked.includes("_") ? { id: asked } : { name: asked });

/** Returns the bucket with an id or name that the actor may see. Throws `not_found` (reason `no_such_bucket`). */
export async function findBucket(
  { db, actor }: Pick<BucketCtx, "db" | "actor">,
  { bucket: asked }: { bucket: string },
): Promise<StoredBucket> {
  const row = await db.bucket.findUnique({ where: choiceOf(asked) });
  if (!row || !isVisible(actor, row)) throw noSuchBucket(asked);
  return row;
}
