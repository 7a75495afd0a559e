import type { PoolClient } from "pg";
import type { Decision, PartRow } from "./changes";
import type { VersionRow } from "./version-row";

/** Writes what a batch decided. The order matters: at any moment a key has at most one latest version. */
export async function writeDecision(
  client: PoolClient,
  decision: Decision,
  { removeAt }: { removeAt: Date },
): Promise<void> {
  const { removedVersions, movedVersions, newVersions, newParts, removedBlobs, removedUploads } = decision;
  if (removedVersions.length > 0) {
    await client.query("DELETE FROM object_versions WHERE id = ANY ($1::text[])", [removedVersions]);
  }
  if (movedVersions.length > 0) await moveVersions(client, movedVersions);
  if (newVersions.length > 0) await insertVersions(client, newVersions);
  if (decision.placedVersions.length > 0) await placeVersions(client, decision.placedVersions);
  if (decision.lockedVersions.length > 0) await lockVersions(client, decision.lockedVersions);
  if (newParts.length > 0) await upsertParts(client, newParts);
  if (decision.completedUploads.size > 0) await completeUploads(client, decision);
  if (removedUploads.length > 0) {
    await client.query("DELETE FROM object_uploads WHERE id = ANY ($1::text[])", [removedUploads]);
  }
  if (removedBlobs.length > 0) {
    await client.query(
      "INSERT INTO blob_removals (name, remove_at) SELECT name, $2 FROM unnest($1::text[]) AS name ON CONFLICT DO NOTHING",
      [removedBlobs, removeAt],
    );
  }
  if (decision.usage.size > 0) await changeUsage(client, decision);
}

async function moveVersions(client: PoolClient, rows: readonly VersionRow[]): Promise<void> {
  await client.query({
    name: "objects_move",
    text: `UPDATE object_versions v SET is_latest = m.is_latest, noncurrent_since = to_timestamp(m.since / 1000)
      FROM unnest($1::text[], $2::bool[], $3::float8[]) AS m(id, is_latest, since) WHERE v.id = m.id`,
    values: [rows.map(({ id }) => id), rows.map(({ isLatest }) => isLatest), rows.map((row) => row.noncurrentSince)],
  });
}

const COLUMNS = `id, tenant_id, bucket_id, key, rank, version_id, is_latest, is_delete_marker, size, etag, content_type,
  headers, user_metadata, checksums, checksum_type, parts, tier, blob, tags, access, encryption, retention_mode, legal_hold`;

const INSERT = `INSERT INTO object_versions (${COLUMNS}, last_modified, noncurrent_since, retain_until)
  SELECT ${COLUMNS}, to_timestamp(modified / 1000), to_timestamp(since / 1000), to_timestamp(until / 1000)
  FROM json_to_recordset($1::json) AS r(id text, tenant_id text, bucket_id text, key text, rank bigint, version_id text,
    is_latest bool, is_delete_marker bool, size bigint, etag text, content_type text, headers jsonb, user_metadata jsonb,
    checksums jsonb, checksum_type text, parts jsonb, tier "StorageTier", blob text, tags jsonb, access jsonb, encryption jsonb,
    retention_mode text, legal_hold bool, modified float8, since float8, until float8)`;

async function insertVersions(client: PoolClient, rows: readonly VersionRow[]): Promise<void> {
  const records = rows.map((row) => ({
    id: row.id,
    tenant_id: row.tenantId,
    bucket_id: row.bucketId,
    key: row.key,
    rank: row.rank,
    version_id: row.versionId,
    is_latest: row.isLatest,
    is_delete_marker: row.isDeleteMarker,
    size: row.size,
    etag: row.etag,
    content_type: row.contentType,
    headers: row.headers,
    user_metadata: row.userMetadata,
    checksums: row.checksums,
    checksum_type: row.checksumType,
    parts: row.parts,
    tier: row.tier,
    blob: row.blob,
    tags: row.tags ?? null,
    access: row.access ?? null,
    encryption: row.encryption,
    modified: row.lastModified,
    since: row.noncurrentSince,
    ...lockColumns(row),
  }));
  await client.query({ name: "objects_insert", text: INSERT, values: [JSON.stringify(records)] });
}

const lockColumns = ({ retention, legalHold }: VersionRow) => ({
  retention_mode: retention?.mode ?? null,
  until: retention?.until ?? null,
  legal_hold: legalHold ?? null,
});

async function lockVersions(client: PoolClient, rows: readonly VersionRow[]): Promise<void> {
  await client.query({
    name: "objects_lock",
    text: `UPDATE object_versions v SET retention_mode = l.retention_mode, retain_until = to_timestamp(l.until / 1000),
        legal_hold = l.legal_hold
      FROM json_to_recordset($1::json) AS l(id text, retention_mode text, until float8, legal_hold bool)
      WHERE v.id = l.id`,
    values: [JSON.stringify(rows.map((row) => ({ id: row.id, ...lockColumns(row) })))],
  });
}

async function placeVersions(client: PoolClient, rows: readonly VersionRow[]): Promise<void> {
  await client.query({
    name: "objects_place",
    text: `UPDATE object_versions v SET tier = p.tier, blob = p.blob, parts = p.parts
      FROM json_to_recordset($1::json) AS p(id text, tier "StorageTier", blob text, parts jsonb) WHERE v.id = p.id`,
    values: [JSON.stringify(rows.map(({ id, tier, blob, parts }) => ({ id, tier, blob, parts })))],
  });
}

async function upsertParts(client: PoolClient, rows: readonly PartRow[]): Promise<void> {
  await client.query({
    name: "objects_parts",
    text: `INSERT INTO object_parts (upload_id, number, suffix, size, etag, checksums, last_modified)
      SELECT "uploadId", number, suffix, size, etag, checksums, to_timestamp("lastModified" / 1000)
      FROM json_to_recordset($1::json) AS r("uploadId" text, number int, suffix text, size bigint, etag text,
        checksums jsonb, "lastModified" float8)
      ON CONFLICT (upload_id, number) DO UPDATE SET suffix = excluded.suffix, size = excluded.size,
        etag = excluded.etag, checksums = excluded.checksums, last_modified = excluded.last_modified`,
    values: [JSON.stringify(rows)],
  });
}

async function completeUploads(client: PoolClient, { completedUploads }: Decision): Promise<void> {
  const ids = [...completedUploads.keys()];
  await client.query("DELETE FROM object_parts WHERE upload_id = ANY ($1::text[])", [ids]);
  await client.query(
    `UPDATE object_uploads u SET completed = c.completed::jsonb
     FROM unnest($1::text[], $2::text[]) AS c(id, completed) WHERE u.id = c.id`,
    [ids, [...completedUploads.values()].map((completed) => JSON.stringify(completed))],
  );
}

async function changeUsage(client: PoolClient, { usage }: Decision): Promise<void> {
  const changes = [...usage.values()];
  await client.query({
    name: "objects_count",
    text: `UPDATE buckets b SET objects = b.objects + c.objects, versions = b.versions + c.versions, bytes = b.bytes + c.bytes,
        warm_bytes = b.warm_bytes + c.warm, cold_bytes = b.cold_bytes + c.cold,
        archive_bytes = b.archive_bytes + c.archive
      FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[])
        AS c(id, objects, versions, bytes, warm, cold, archive)
      WHERE b.id = c.id`,
    values: [
      [...usage.keys()],
      changes.map(({ objects }) => objects),
      changes.map(({ versions }) => versions),
      changes.map(({ bytes }) => bytes),
      changes.map(({ warmBytes }) => warmBytes),
      changes.map(({ coldBytes }) => coldBytes),
      changes.map(({ archiveBytes }) => archiveBytes),
    ],
  });
}
