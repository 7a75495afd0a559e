import type { PoolClient } from "pg";
import { type BlobOwner, blobsOf } from "./version-row";
import type { Sql } from "./versions.sql";

/** Blobs that are due, locked until the transaction ends; other processes take others. */
export async function lockDueRemovals(client: PoolClient, now: Date, max: number): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    "SELECT name FROM blob_removals WHERE remove_at <= $1 ORDER BY remove_at LIMIT $2 FOR UPDATE SKIP LOCKED",
    [now, max],
  );
  return rows.map(({ name }) => name);
}

export async function deleteRemovals(client: PoolClient, names: readonly string[]): Promise<void> {
  await client.query("DELETE FROM blob_removals WHERE name = ANY ($1::text[])", [names]);
}

type Owner = Omit<BlobOwner, "isDeleteMarker">;

const OWNER = `v.id, v.tenant_id AS "tenantId", v.bucket_id AS "bucketId", v.size::float8 AS size, v.parts, v.blob, v.encryption`;

/** Those of the names that a version, a part or a checkpoint of a pod or a snapshot of a volume has, or whose removal is planned. */
export async function neededBlobs(sql: Sql, names: readonly string[]): Promise<Set<string>> {
  const owners = [...new Set(names.map(ownerOf))];
  const versions = await sql.query<Owner>(
    `SELECT ${OWNER} FROM object_versions v WHERE v.id = ANY ($1::text[]) AND NOT v.is_delete_marker`,
    [owners],
  );
  const others = await sql.query<{ name: string }>(
    `SELECT u.tenant_id || '/' || u.bucket_id || '/' || u.id || '.' || p.number || '.' || p.suffix AS name
     FROM object_uploads u JOIN object_parts p ON p.upload_id = u.id WHERE u.id = ANY ($1::text[])
     UNION ALL SELECT tenant_id || '/' || pod_id || '/' || id FROM pod_chunks WHERE id = ANY ($1::text[])
     UNION ALL SELECT tenant_id || '/' || volume_id || '/' || blob FROM volume_snapshots WHERE id = ANY ($1::text[])
     UNION ALL SELECT name FROM blob_removals WHERE name = ANY ($2::text[])`,
    [owners, names],
  );
  const ofVersions = versions.rows.flatMap((row) => blobsOf({ ...row, isDeleteMarker: false }));
  return new Set([...ofVersions, ...others.rows].map(({ name }) => name));
}

/** The id of the version or upload that a blob belongs to. */
function ownerOf(name: string): string {
  const blob = name.slice(name.lastIndexOf("/") + 1);
  const [owner = blob] = blob.split(".");
  return owner;
}

/** Versions with content after an id, in the order of their ids. */
export async function readOwnersAfter(sql: Sql, id: string, max: number): Promise<Owner[]> {
  const { rows } = await sql.query<Owner>(
    `SELECT ${OWNER} FROM object_versions v WHERE v.id > $1 AND NOT v.is_delete_marker ORDER BY v.id LIMIT $2`,
    [id, max],
  );
  return rows;
}
