import { noSuchVersion } from "./object-errors";
import { findReadable } from "./object-reads";
import type { ObjectStore } from "./object-store";
import type { BucketRef, ObjectTags, ObjectVersion, VersionChoice } from "./objects";
import { versionOf } from "./version-row";
import { writeTags } from "./versions.sql";

export async function setTags(
  { sql }: Pick<ObjectStore, "sql">,
  bucket: BucketRef,
  { tags, ...choice }: VersionChoice & { tags: ObjectTags },
): Promise<ObjectVersion> {
  const row = await findReadable({ sql }, bucket, choice);
  if (!(await writeTags(sql, row.id, tags))) throw noSuchVersion(row.key, row.versionId);
  return versionOf({ ...row, tags });
}
