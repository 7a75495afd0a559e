import { noSuchKey } from "./object-errors";
import { isKey } from "./object-key";
import type { ObjectStore } from "./object-store";
import type { BucketRef, LockChoice, ObjectVersion, VersionChoice } from "./objects";

export async function setLock(
  { commits }: Pick<ObjectStore, "commits">,
  bucket: BucketRef,
  { key, versionId, lock }: VersionChoice & { lock: LockChoice },
): Promise<ObjectVersion> {
  if (!isKey(key)) throw noSuchKey(key);
  return commits.commit(bucket.tenantId, { kind: "lock", bucketId: bucket.id, key, versionId, lock });
}
