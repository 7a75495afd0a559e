import { newId } from "../../kernel/ids";
import type { SweepParts } from "./blob-sweeps";
import { abortIfThere } from "./bucket-contents";
import type { ChangeCommits } from "./commit-changes";
import { type AgedVersion, expired, type LifecycleRule, uploadLifeMs } from "./lifecycle";
import { readPosition, writePosition } from "./sweep-positions.sql";

type Parts = Pick<SweepParts, "sql" | "clock" | "stopping"> & { commits: ChangeCommits };

const LIFECYCLE = "lifecycle";
const UPLOADS = "uploads";
const PAGE = 1000;
/** Versions that one run looks at; the next one goes on behind them. */
const VERSIONS_MAX = 1_000_000;
const UPLOADS_MAX = 10_000;
const DAY_MS = 24 * 60 * 60_000;

interface RuledBucket {
  id: string;
  tenantId: string;
  rules: readonly LifecycleRule[];
}

interface LifecyclePosition {
  bucketId: string;
  key: string;
  rank: number;
}

/** Applies the lifecycle rules of all buckets, from where the last run ended. */
export async function applyLifecycleRules(parts: Parts, { versionsMax = VERSIONS_MAX } = {}): Promise<void> {
  const { sql, stopping } = parts;
  let position = await readPosition<LifecyclePosition>(sql, LIFECYCLE);
  for (let left = versionsMax; left > 0 && !stopping.aborted; ) {
    const bucket = await ruledBucketFrom(parts, position?.bucketId ?? "");
    if (!bucket) {
      await writePosition(sql, LIFECYCLE, undefined);
      return;
    }
    const from: LifecyclePosition =
      position?.bucketId === bucket.id ? position : { bucketId: bucket.id, key: "", rank: 0 };
    const { count, next } = await expirePage(parts, bucket, from);
    left -= Math.max(1, count);
    // Behind every bucket id that begins with this one: the next bucket.
    position = next ?? { bucketId: `${bucket.id}~`, key: "", rank: 0 };
    await writePosition(sql, LIFECYCLE, position);
  }
}

async function ruledBucketFrom({ sql }: Parts, id: string): Promise<RuledBucket | undefined> {
  const { rows } = await sql.query<RuledBucket>(
    `SELECT id, tenant_id AS "tenantId", lifecycle_rules AS rules FROM buckets
     WHERE id COLLATE "C" >= $1 AND lifecycle_rules <> '[]'::jsonb AND deleting_since IS NULL
     ORDER BY id COLLATE "C" LIMIT 1`,
    [id],
  );
  return rows[0];
}

type PagedVersion = AgedVersion & { rank: number };

async function expirePage({ sql, clock, commits }: Parts, bucket: RuledBucket, from: LifecyclePosition) {
  const { rows } = await sql.query<PagedVersion>(
    `SELECT id, key, rank::float8 AS rank, version_id AS "versionId", is_latest AS "isLatest",
       is_delete_marker AS "isDeleteMarker", (extract(epoch FROM last_modified) * 1000)::float8 AS "lastModified",
       (extract(epoch FROM noncurrent_since) * 1000)::float8 AS "noncurrentSince"
     FROM object_versions WHERE bucket_id = $1 AND (key, rank) > ($2 COLLATE "C", $3) ORDER BY key, rank LIMIT ${PAGE + 1}`,
    [bucket.id, from.key, from.rank],
  );
  const now = clock.now().getTime();
  const choices = rows.slice(0, PAGE).flatMap((row, i) => {
    const isOnly = rows[i + 1]?.key !== row.key;
    const choice = expired(bucket.rules, { ...row, isOnly }, now);
    return choice ? [{ ...choice, markerId: newId("ver", now) }] : [];
  });
  if (choices.length > 0) {
    await commits.commit(bucket.tenantId, { kind: "delete", bucketId: bucket.id, choices });
  }
  const last = rows.length > PAGE ? rows[PAGE - 1] : undefined;
  return { count: rows.length, next: last && { bucketId: bucket.id, key: last.key, rank: last.rank } };
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
      if (completedAt !== null || now - startedAt < uploadLifeMs(rules ?? [], key)) continue;
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
