import { newId } from "../../../kernel/ids";
import type { SweepParts } from "./blob-sweeps";
import { abortIfThere } from "./bucket-contents";
import type { ChangeCommits } from "./commit-changes";
import { expired, type LifecycleRule, uploadEnd } from "./lifecycle";
import { isLocked } from "./object-lock";
import { type PagedVersion, type RuledBucket, walkRuledBuckets } from "./ruled-buckets";
import { readPosition, writePosition } from "./sweep-positions.sql";

type Parts = Pick<SweepParts, "sql" | "clock" | "stopping"> & { commits: ChangeCommits };

const LIFECYCLE = "lifecycle";
const UPLOADS = "uploads";
const PAGE = 1000;
/** Versions that one run looks at; the next one goes on behind them. */
const VERSIONS_MAX = 1_000_000;
const UPLOADS_MAX = 10_000;
const DAY_MS = 24 * 60 * 60_000;

/** Applies the lifecycle rules of all buckets that delete, from where the last run ended. */
export const applyLifecycleRules = (parts: Parts, { versionsMax = VERSIONS_MAX } = {}): Promise<void> =>
  walkRuledBuckets(parts, { name: LIFECYCLE, versionsMax, visit: (bucket, page) => expirePage(parts, bucket, page) });

async function expirePage(
  { clock, commits }: Parts,
  bucket: RuledBucket,
  page: readonly PagedVersion[],
): Promise<boolean> {
  const now = clock.now().getTime();
  const choices = page.flatMap((row) => {
    const choice = expired(bucket.rules, row, now);
    // The commit would refuse it, every hour again.
    if (choice?.versionId !== undefined && isLocked(row, now)) return [];
    return choice ? [{ ...choice, markerId: newId("ver", now) }] : [];
  });
  if (choices.length > 0) {
    await commits.commit(bucket.tenantId, { kind: "delete", bucketId: bucket.id, choices });
  }
  return true;
}

interface OldUpload {
  id: string;
  tenantId: string;
  bucketId: string;
  key: string;
  startedAt: number;
  completedAt: number | null;
  rules: readonly LifecycleRule[] | null;
}

/** Aborts uploads that have been under way for too long, and forgets those that were completed a day ago. */
export async function sweepUploads(parts: Parts): Promise<void> {
  const { sql, clock, commits, stopping } = parts;
  let after = (await readPosition<{ id: string }>(sql, UPLOADS))?.id ?? "";
  for (let left = UPLOADS_MAX; left > 0 && !stopping.aborted; left -= PAGE) {
    const now = clock.now().getTime();
    const rows = await oldUploads(parts, { after, before: new Date(now - DAY_MS) });
    const isOver = (row: OldUpload) => row.completedAt !== null && now - row.completedAt >= DAY_MS;
    const completed = rows.filter(isOver).map(({ id }) => id);
    await sql.query("DELETE FROM object_uploads WHERE id = ANY ($1::text[]) AND completed IS NOT NULL", [completed]);
    for (const { id, bucketId, tenantId, key, startedAt, completedAt, rules } of rows) {
      if (completedAt !== null || now < uploadEnd(rules ?? [], { key, startedAt })) continue;
      await abortIfThere({ commits }, { id: bucketId, tenantId }, { key, uploadId: id });
    }
    after = rows.length < PAGE ? "" : (rows.at(-1)?.id ?? "");
    await writePosition(sql, UPLOADS, { id: after });
    if (after === "") return;
  }
}

/** In the order of their ids, which begin with the time. */
async function oldUploads({ sql }: Parts, { after, before }: { after: string; before: Date }): Promise<OldUpload[]> {
  const { rows } = await sql.query<OldUpload>(
    `SELECT u.id, u.tenant_id AS "tenantId", u.bucket_id AS "bucketId", u.key, b.lifecycle_rules AS rules,
       (extract(epoch FROM u.started_at) * 1000)::float8 AS "startedAt",
       (u.completed -> 'version' ->> 'lastModified')::float8 AS "completedAt"
     FROM object_uploads u LEFT JOIN buckets b ON b.id = u.bucket_id
     WHERE u.id > $1 AND u.started_at <= $2 ORDER BY u.id LIMIT ${PAGE}`,
    [after, before],
  );
  return rows;
}
