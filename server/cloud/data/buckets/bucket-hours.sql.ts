import type { Pool } from "pg";

export const HOUR_MS = 3_600_000;

export interface BucketUsage {
  objects: number;
  versions: number;
  bytes: number;
}

/** Stores what every bucket has in the hour of `now`, unless it is what was stored last. */
export async function addBucketHours(sql: Pool, now: Date): Promise<void> {
  await sql.query(
    `INSERT INTO bucket_hours (bucket_id, hour, objects, versions, bytes, warm_bytes, cold_bytes, archive_bytes)
      SELECT b.id, to_timestamp(floor(extract(epoch FROM $1::timestamptz) / 3600) * 3600), b.objects, b.versions, b.bytes,
        b.warm_bytes, b.cold_bytes, b.archive_bytes
      FROM buckets b LEFT JOIN LATERAL (
        SELECT * FROM bucket_hours h WHERE h.bucket_id = b.id ORDER BY hour DESC LIMIT 1
      ) last ON true
      WHERE (last.objects, last.versions, last.bytes, last.warm_bytes, last.cold_bytes, last.archive_bytes)
        IS DISTINCT FROM (b.objects, b.versions, b.bytes, b.warm_bytes, b.cold_bytes, b.archive_bytes)
      ORDER BY b.id
      ON CONFLICT (bucket_id, hour) DO UPDATE
        SET objects = excluded.objects, versions = excluded.versions, bytes = excluded.bytes,
          warm_bytes = excluded.warm_bytes, cold_bytes = excluded.cold_bytes, archive_bytes = excluded.archive_bytes`,
    [now],
  );
}

/** The last usage that was stored in each step, from `fromMs` on, in order; before them the last one ahead of it. */
export async function readBucketSteps(
  sql: Pool,
  { bucketId, fromMs, stepMs }: { bucketId: string; fromMs: number; stepMs: number },
): Promise<(BucketUsage & { startMs: number })[]> {
  const { rows } = await sql.query<Record<"start" | keyof BucketUsage, string | bigint>>(
    `SELECT DISTINCT ON (start) floor(extract(epoch FROM hour) * 1000 / $3::bigint) * $3::bigint AS start,
        objects, versions, bytes
      FROM (
        SELECT * FROM bucket_hours WHERE bucket_id = $1 AND hour >= $2
        UNION ALL
        (SELECT * FROM bucket_hours WHERE bucket_id = $1 AND hour < $2 ORDER BY hour DESC LIMIT 1)
      ) chosen
      ORDER BY start, hour DESC`,
    [bucketId, new Date(fromMs), stepMs],
  );
  return rows.map(({ start, objects, versions, bytes }) => ({
    startMs: Number(start),
    objects: Number(objects),
    versions: Number(versions),
    bytes: Number(bytes),
  }));
}

const DELETED_ROWS = 5000;

/** Deletes older rows in statements of 5,000, but not the last row of a bucket before that time: it says what it had then. */
export async function deleteBucketHoursBefore(sql: Pool, before: Date): Promise<void> {
  const deleteSome = () =>
    sql.query(
      `DELETE FROM bucket_hours WHERE (bucket_id, hour) IN (
        SELECT bucket_id, hour FROM bucket_hours h WHERE hour < $1 AND EXISTS (
          SELECT 1 FROM bucket_hours later
          WHERE later.bucket_id = h.bucket_id AND later.hour > h.hour AND later.hour <= $1)
        ORDER BY hour LIMIT ${DELETED_ROWS})`,
      [before],
    );
  while ((await deleteSome()).rowCount === DELETED_ROWS);
}
