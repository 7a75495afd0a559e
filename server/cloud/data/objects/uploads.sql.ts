import type { PartRow, UploadRow } from "./changes";
import type { ListOptions, Upload } from "./objects";
import type { Sql } from "./versions.sql";

/** The columns of an `UploadRow` from `object_uploads u`. */
const UPLOAD = `u.id, u.bucket_id AS "bucketId", u.key, u.algorithm, u.checksum_type AS "checksumType", u.tier, u.completed,
  u.tags, u.access, u.encryption, u.lock,
  (extract(epoch FROM u.started_at) * 1000)::float8 AS "startedAt",
  json_build_object('contentType', u.content_type, 'headers', u.headers, 'userMetadata', u.user_metadata) AS properties`;

const PART = `p.upload_id AS "uploadId", p.number, p.suffix, p.size::float8 AS size, p.etag, p.checksums,
  (extract(epoch FROM p.last_modified) * 1000)::float8 AS "lastModified"`;

type StoredUpload = Omit<UploadRow, "algorithm" | "checksumType"> & {
  algorithm: UploadRow["algorithm"] | null;
  checksumType: UploadRow["checksumType"] | null;
  startedAt: number;
};

const rowOf = ({ algorithm, checksumType, ...row }: StoredUpload): UploadRow & { startedAt: number } => ({
  ...row,
  algorithm: algorithm ?? undefined,
  checksumType: checksumType ?? undefined,
});

export async function readUploads(sql: Sql, ids: readonly string[]): Promise<(UploadRow & { startedAt: number })[]> {
  if (ids.length === 0) return [];
  const text = `SELECT ${UPLOAD} FROM object_uploads u WHERE u.id = ANY ($1::text[])`;
  const { rows } = await sql.query<StoredUpload>({ name: "object_uploads", text, values: [[...new Set(ids)]] });
  return rows.map(rowOf);
}

interface WantedParts {
  /** Uploads of which all parts are wanted. */
  whole: readonly string[];
  single: readonly (readonly [uploadId: string, number: number])[];
}

export async function readPartsOf(sql: Sql, { whole, single }: WantedParts): Promise<PartRow[]> {
  if (whole.length === 0 && single.length === 0) return [];
  const text = `SELECT ${PART} FROM object_parts p WHERE p.upload_id = ANY ($1::text[])
    UNION ALL SELECT ${PART} FROM unnest($2::text[], $3::int[]) AS w(id, number)
    JOIN object_parts p ON p.upload_id = w.id AND p.number = w.number`;
  const values = [[...new Set(whole)], single.map(([id]) => id), single.map(([, number]) => number)];
  const { rows } = await sql.query<PartRow>({ name: "object_parts", text, values });
  return rows;
}

/** The parts with a greater number, in order. */
export async function readPartsAfter(sql: Sql, uploadId: string, page: { after: number; limit: number }) {
  const text = `SELECT ${PART} FROM object_parts p WHERE p.upload_id = $1 AND p.number > $2 ORDER BY p.number LIMIT $3`;
  const values = [uploadId, page.after, page.limit];
  return (await sql.query<PartRow>({ name: "object_parts_page", text, values })).rows;
}

/** The number of uploads under way, or `max` if there are more. */
export async function countUploads(sql: Sql, bucketId: string, max: number): Promise<number> {
  const { rows } = await sql.query<{ count: bigint }>(
    `SELECT count(*) AS count FROM (
       SELECT FROM object_uploads WHERE bucket_id = $1 AND completed IS NULL LIMIT ${Math.trunc(max)}) AS u`,
    [bucketId],
  );
  return Number(rows[0]?.count ?? 0);
}

/** False if the bucket does not exist or is being deleted. */
export async function insertUpload(
  sql: Sql,
  bucket: { tenantId: string; bucketId: string },
  { encryption, lock, ...upload }: Omit<Upload, "encryption"> & Pick<UploadRow, "encryption" | "lock">,
): Promise<boolean> {
  const { contentType, headers, userMetadata } = upload.properties;
  const { rowCount } = await sql.query(
    `INSERT INTO object_uploads (id, tenant_id, bucket_id, key, started_at, content_type, headers, user_metadata,
       algorithm, checksum_type, tier, tags, access, encryption, lock)
     SELECT $1, b.tenant_id, b.id, $4, $5, $6, $7, $8, $9, $10, $11::"StorageTier", $12, $13::jsonb, $14::jsonb, $15::jsonb
     FROM buckets b WHERE b.id = $3 AND b.tenant_id = $2 AND b.deleting_since IS NULL FOR KEY SHARE`,
    [
      upload.uploadId,
      bucket.tenantId,
      bucket.bucketId,
      upload.key,
      upload.startedAt,
      contentType,
      JSON.stringify(headers),
      JSON.stringify(userMetadata),
      upload.algorithm ?? null,
      upload.checksumType ?? null,
      upload.tier,
      upload.tags ? JSON.stringify(upload.tags) : null,
      upload.access ? JSON.stringify(upload.access) : null,
      encryption && JSON.stringify(encryption),
      lock ? JSON.stringify(lock) : null,
    ],
  );
  return rowCount === 1;
}

export interface UploadRange {
  bucketId: string;
  /** The least key, and a text greater than every key. */
  lower: string;
  upper: string;
  after: { key: string; uploadId: string };
}

/** Uploads under way after one, in the order of their keys and ids. */
export async function readUploadsAfter(sql: Sql, range: UploadRange, limit: ListOptions["limit"]) {
  const { rows } = await sql.query<StoredUpload>(
    `SELECT ${UPLOAD} FROM object_uploads u
     WHERE u.bucket_id = $1 AND u.completed IS NULL AND u.key >= $2 AND u.key < $3
       AND (u.key, u.id) > ($4 COLLATE "C", $5)
     ORDER BY u.key, u.id LIMIT ${Math.trunc(limit)}`,
    [range.bucketId, range.lower, range.upper, range.after.key, range.after.uploadId],
  );
  return rows.map(rowOf);
}
