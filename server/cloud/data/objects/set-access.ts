import type { ObjectAccess } from "./object-access";
import { findReadable } from "./object-reads";
import type { ObjectStore } from "./object-store";
import type { BucketRef, GuardedChoice, ObjectVersion } from "./objects";
import { versionOf } from "./version-row";
import { writeAccess } from "./versions.sql";

/** Repeats what another call has overtaken; throws as reading does once the version is gone. */
export async function setAccess(
  { sql }: Pick<ObjectStore, "sql">,
  bucket: BucketRef,
  { change, ...choice }: GuardedChoice & { change: (version: ObjectVersion) => ObjectAccess },
): Promise<ObjectVersion> {
  for (;;) {
    const row = await findReadable({ sql }, bucket, choice);
    const access = change(versionOf(row));
    const written = await writeAccess(sql, row.id, { before: row.access ?? null, after: access });
    if (written) return versionOf({ ...row, access });
  }
}
