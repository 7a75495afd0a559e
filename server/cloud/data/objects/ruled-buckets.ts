import type { SweepParts } from "./blob-sweeps";
import type { AgedVersion, LifecycleRule } from "./lifecycle";
import type { Lockable } from "./objects";
import { readPosition, writePosition } from "./sweep-positions.sql";
import { LOCK } from "./versions.sql";

const PAGE = 1000;
/** The most newer versions that a rule can keep: no rule asks whether there are more. */
const COUNTED_MAX = 100;

export interface RuledBucket {
  id: string;
  tenantId: string;
  rules: readonly LifecycleRule[];
}

/** `isOnly`: its key has no older version. */
export type PagedVersion = AgedVersion & Lockable & { rank: number; isOnly: boolean };

interface Position {
  bucketId: string;
  key: string;
  rank: number;
}

interface Walk {
  /** Of its position, from which the next run goes on. */
  name: string;
  /** Versions that one run looks at. */
  versionsMax: number;
  /** Returns false to end the run; the next one begins with the same page. */
  visit: (bucket: RuledBucket, page: readonly PagedVersion[]) => Promise<boolean>;
}

/** Visits the versions of all buckets with lifecycle rules in pages, from where the last run ended. */
export async function walkRuledBuckets(
  { sql, stopping }: Pick<SweepParts, "sql" | "stopping">,
  { name, versionsMax, visit }: Walk,
): Promise<void> {
  let position = await readPosition<Position>(sql, name);
  for (let left = versionsMax; left > 0 && !stopping.aborted; ) {
    const bucket = await ruledBucketFrom(sql, position?.bucketId ?? "");
    if (!bucket) return writePosition(sql, name, undefined);
    const from = position?.bucketId === bucket.id ? position : { bucketId: bucket.id, key: "", rank: 0 };
    const { page, isLast } = await readPage(sql, from);
    if (!(await visit(bucket, page))) return;
    left -= Math.max(1, page.length);
    const last = isLast ? undefined : page.at(-1);
    // Behind every bucket id that begins with this one: the next bucket.
    position = last
      ? { bucketId: bucket.id, key: last.key, rank: last.rank }
      : { bucketId: `${bucket.id}~`, key: "", rank: 0 };
    await writePosition(sql, name, position);
  }
}

async function ruledBucketFrom(sql: SweepParts["sql"], id: string): Promise<RuledBucket | undefined> {
  const { rows } = await sql.query<RuledBucket>(
    `SELECT id, tenant_id AS "tenantId", lifecycle_rules AS rules FROM buckets
     WHERE id COLLATE "C" >= $1 AND lifecycle_rules <> '[]'::jsonb AND deleting_since IS NULL
     ORDER BY id COLLATE "C" LIMIT 1`,
    [id],
  );
  return rows[0];
}

async function readPage(sql: SweepParts["sql"], from: Position): Promise<{ page: PagedVersion[]; isLast: boolean }> {
  const { bucketId, key, rank } = from;
  const { rows } = await sql.query<Omit<PagedVersion, "isOnly" | "newerNoncurrent">>(
    `SELECT id, key, ${LOCK}, rank::float8 AS rank, version_id AS "versionId", is_latest AS "isLatest", size::float8 AS size, tier,
       tags, is_delete_marker AS "isDeleteMarker", (extract(epoch FROM last_modified) * 1000)::float8 AS "lastModified",
       (extract(epoch FROM noncurrent_since) * 1000)::float8 AS "noncurrentSince"
     FROM object_versions v WHERE bucket_id = $1 AND (key, rank) > ($2 COLLATE "C", $3) ORDER BY key, rank LIMIT ${PAGE + 1}`,
    [bucketId, key, rank],
  );
  let newer = rows[0]?.key === key ? await countNewer(sql, from) : 0;
  const page = rows.slice(0, PAGE).map((row, i) => {
    if (i > 0 && rows[i - 1]?.key !== row.key) newer = 0;
    const version = { ...row, newerNoncurrent: newer, isOnly: rows[i + 1]?.key !== row.key };
    if (!row.isLatest && !row.isDeleteMarker) newer++;
    return version;
  });
  return { page, isLast: rows.length <= PAGE };
}

/** The older versions of a key down to a position, counted now: what was deleted since the last page must not count. */
async function countNewer(sql: SweepParts["sql"], { bucketId, key, rank }: Position): Promise<number> {
  const { rows } = await sql.query<{ newer: number }>(
    `SELECT count(*)::int AS newer FROM (
       SELECT FROM object_versions WHERE bucket_id = $1 AND key = $2 COLLATE "C" AND rank <= $3
         AND NOT is_latest AND NOT is_delete_marker LIMIT ${COUNTED_MAX}) AS older`,
    [bucketId, key, rank],
  );
  return rows[0]?.newer ?? 0;
}
