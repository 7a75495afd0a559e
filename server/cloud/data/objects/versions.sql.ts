import type { Pool, PoolClient } from "pg";
import type { ObjectAccess } from "./object-access";
import type { ObjectTags } from "./objects";
import type { VersionRow } from "./version-row";

export type Sql = Pick<Pool, "query"> | Pick<PoolClient, "query">;

/** The columns of a listed version from `object_versions v`: properties and parts stay in the table. */
export const LISTED_VERSION = `v.key, v.version_id AS "versionId", v.rank::float8 AS rank, v.is_latest AS "isLatest",
  v.is_delete_marker AS "isDeleteMarker", v.size::float8 AS size, v.etag,
  (extract(epoch FROM v.last_modified) * 1000)::float8 AS "lastModified", v.content_type AS "contentType",
  v.checksums, v.checksum_type AS "checksumType", v.tier,
  (extract(epoch FROM v.restore_at) * 1000)::float8 AS "restoreAt",
  (extract(epoch FROM v.restore_until) * 1000)::float8 AS "restoreUntil", v.encryption,
  v.access ->> 'owner' AS owner`;

export type ListedVersion = Pick<
  VersionRow,
  | "key"
  | "versionId"
  | "rank"
  | "isLatest"
  | "isDeleteMarker"
  | "size"
  | "etag"
  | "lastModified"
  | "contentType"
  | "checksums"
  | "checksumType"
  | "tier"
  | "restoreAt"
  | "restoreUntil"
  | "encryption"
  | "owner"
>;

/** The lock of a version from `object_versions v`, as `Lockable`. */
export const LOCK = `CASE WHEN v.retain_until IS NOT NULL THEN json_build_object('mode', v.retention_mode,
    'until', (extract(epoch FROM v.retain_until) * 1000)::float8) END AS retention, v.legal_hold AS "legalHold"`;

/** The columns of a `VersionRow` from `object_versions v`. */
export const VERSION = `${LISTED_VERSION}, v.id, v.tenant_id AS "tenantId", v.bucket_id AS "bucketId",
  (extract(epoch FROM v.noncurrent_since) * 1000)::float8 AS "noncurrentSince",
  v.headers, v.user_metadata AS "userMetadata", v.parts, v.blob, v.tags, v.access, ${LOCK}`;

const LATEST = `SELECT ${VERSION} FROM object_versions v WHERE bucket_id = $1 AND key = $2 ORDER BY rank LIMIT 1`;
const RANKED = `SELECT ${VERSION} FROM object_versions v WHERE bucket_id = $1 AND key = $2 AND rank = $3`;
const UNNAMED = `SELECT ${VERSION} FROM object_versions v
  WHERE bucket_id = $1 AND key = $2 AND version_id = 'null' AND NOT is_latest`;

interface Place {
  bucketId: string;
  key: string;
}

export async function readLatest(sql: Sql, { bucketId, key }: Place): Promise<VersionRow | undefined> {
  const { rows } = await sql.query<VersionRow>({ name: "object_latest", text: LATEST, values: [bucketId, key] });
  return rows[0];
}

export async function readRanked(sql: Sql, { bucketId, key }: Place, rank: number): Promise<VersionRow | undefined> {
  const { rows } = await sql.query<VersionRow>({ name: "object_ranked", text: RANKED, values: [bucketId, key, rank] });
  return rows[0];
}

/** The version without an id where it is not the latest. */
export async function readUnnamed(sql: Sql, { bucketId, key }: Place): Promise<VersionRow | undefined> {
  const { rows } = await sql.query<VersionRow>({ name: "object_unnamed", text: UNNAMED, values: [bucketId, key] });
  return rows[0];
}

/** From when to when an archived version can be read; false if it is gone. */
export async function writeRestore(sql: Sql, id: string, restore: { from: Date; until: Date }): Promise<boolean> {
  const { rowCount } = await sql.query(
    "UPDATE object_versions SET restore_at = $2, restore_until = $3 WHERE id = $1 AND tier = 'archive'",
    [id, restore.from, restore.until],
  );
  return rowCount === 1;
}

/** False if the version is gone. */
export async function writeTags(sql: Sql, id: string, tags: ObjectTags): Promise<boolean> {
  const text = "UPDATE object_versions SET tags = $2 WHERE id = $1";
  const { rowCount } = await sql.query(text, [id, tags.length === 0 ? null : JSON.stringify(tags)]);
  return rowCount === 1;
}

/** False if the version is gone, or no longer has the access that it had. */
export async function writeAccess(
  sql: Sql,
  id: string,
  { before, after }: { before: ObjectAccess | null; after: ObjectAccess },
): Promise<boolean> {
  const { rowCount } = await sql.query(
    "UPDATE object_versions SET access = $2::jsonb WHERE id = $1 AND access IS NOT DISTINCT FROM $3::jsonb",
    [id, JSON.stringify(after), before && JSON.stringify(before)],
  );
  return rowCount === 1;
}
