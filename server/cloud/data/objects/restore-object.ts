import { noSuchVersion, notArchived, restoreInProgress } from "./object-errors";
import { findReadable } from "./object-reads";
import type { ObjectStore } from "./object-store";
import type { BucketRef, ObjectVersion, VersionChoice } from "./objects";
import { isReadable, RESTORE_DELAY_MS } from "./tiers";
import { versionOf } from "./version-row";
import { writeRestore } from "./versions.sql";

const DAY_MS = 24 * 60 * 60_000;

export async function restoreObject(
  { sql, clock }: Pick<ObjectStore, "sql" | "clock">,
  bucket: BucketRef,
  { key, versionId, days }: VersionChoice & { days: number },
): Promise<ObjectVersion> {
  const row = await findReadable({ sql }, bucket, { key, ...(versionId !== undefined && { versionId }) });
  if (row.tier !== "archive") throw notArchived(key, row.tier);
  const now = clock.now().getTime();
  if (row.restoreAt !== null && now < row.restoreAt) throw restoreInProgress(key);
  const from = isReadable(row, now) && row.restoreAt !== null ? row.restoreAt : now + RESTORE_DELAY_MS;
  const until = Math.max(from, now) + days * DAY_MS;
  const isStored = await writeRestore(sql, row.id, { from: new Date(from), until: new Date(until) });
  if (!isStored) throw noSuchVersion(key, row.versionId);
  return versionOf({ ...row, restoreAt: from, restoreUntil: until });
}
