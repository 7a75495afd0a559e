import type { PoolClient } from "pg";
import { lockName } from "../../../engines/postgres/named-lock";
import type { BucketState, Change, ObjectsState, Usage } from "./changes";
import { readPartsOf, readUploads } from "./uploads.sql";
import { rankOf, type VersionRow } from "./version-row";
import { type Sql, VERSION } from "./versions.sql";

/** Changes of one tenant wait for each other, in all processes. */
export const lockTenant = (client: PoolClient, tenantId: string): Promise<void> =>
  lockName(client, `objects/${tenantId}`);

interface Defaults {
  now: number;
  defaults: Usage;
}

/** Everything that the changes depend on. The rows of their buckets are locked, so that none of them is deleted. */
export async function readState(
  client: PoolClient,
  tenantId: string,
  { changes, now, defaults }: Defaults & { changes: readonly Change[] },
): Promise<ObjectsState> {
  const bucketIds = [...new Set(changes.map(({ bucketId }) => bucketId))];
  const usage = await readUsage(client, tenantId, bucketIds);
  const versions = await readVersions(client, changes);
  const uploads = await readUploads(
    client,
    changes.flatMap((change) => uploadIdOf(change) ?? []),
  );
  const parts = await readPartsOf(client, {
    whole: changes.flatMap((change) => (change.kind === "part" ? [] : (uploadIdOf(change) ?? []))),
    single: changes.flatMap((change) =>
      change.kind === "part" ? [[change.uploadId, change.part.number] as const] : [],
    ),
  });
  return {
    tenantId,
    now,
    versions,
    uploads,
    parts,
    used: { bytes: usage.bytes, versions: usage.versions },
    limits: {
      bytes: usage.bytesLimit ?? defaults.bytes,
      versions: usage.versionsLimit ?? defaults.versions,
    },
    buckets: new Map((usage.buckets ?? []).map(({ id, ...bucket }) => [id, bucket])),
  };
}

function uploadIdOf(change: Change): string | undefined {
  if (change.kind === "complete") return change.upload.uploadId;
  return change.kind === "part" || change.kind === "abort" ? change.uploadId : undefined;
}

interface UsageRow extends Usage {
  bytesLimit: number | null;
  versionsLimit: number | null;
  buckets: (BucketState & { id: string })[] | null;
}

const FIGURES = `(SELECT coalesce(sum(bytes), 0)::float8 FROM buckets WHERE tenant_id = $1) AS bytes,
  (SELECT coalesce(sum(versions), 0)::float8 FROM buckets WHERE tenant_id = $1) AS versions,
  (SELECT "limit"::float8 FROM quotas WHERE tenant_id = $1 AND resource = 'storage_bytes') AS "bytesLimit",
  (SELECT "limit"::float8 FROM quotas WHERE tenant_id = $1 AND resource = 'storage_objects') AS "versionsLimit"`;

const USAGE = `WITH touched AS MATERIALIZED (
    SELECT id, versioning, deleting_since IS NOT NULL AS "isDeleting", object_lock AS "objectLock" FROM buckets
    WHERE id = ANY ($2::text[]) AND tenant_id = $1 ORDER BY id FOR NO KEY UPDATE
  )
  SELECT (SELECT json_agg(touched) FROM touched) AS buckets, ${FIGURES}`;

async function readUsage(client: PoolClient, tenantId: string, bucketIds: readonly string[]): Promise<UsageRow> {
  const { rows } = await client.query<UsageRow>({ name: "objects_usage", text: USAGE, values: [tenantId, bucketIds] });
  const [row] = rows;
  if (!row) throw new Error("a statement of subqueries returned no row");
  return row;
}

/** The figures of a tenant as they are stored, without a lock; the limits where an operator has set them. */
export async function readFigures(sql: Sql, tenantId: string): Promise<Omit<UsageRow, "buckets">> {
  const { rows } = await sql.query<UsageRow>({
    name: "objects_figures",
    text: `SELECT ${FIGURES}`,
    values: [tenantId],
  });
  const [row] = rows;
  if (!row) throw new Error("a statement of subqueries returned no row");
  return row;
}

/** Where a key is changed several times, further versions may come to be the latest. */
const VERSIONS = `
  SELECT n.* FROM unnest($1::text[], $2::text[], $3::int[]) AS w(bucket_id, key, depth)
  CROSS JOIN LATERAL (SELECT ${VERSION} FROM object_versions v
    WHERE v.bucket_id = w.bucket_id AND v.key = w.key COLLATE "C" ORDER BY v.rank LIMIT w.depth) n
  UNION ALL
  SELECT ${VERSION} FROM unnest($1::text[], $2::text[]) AS w(bucket_id, key)
  JOIN object_versions v ON v.bucket_id = w.bucket_id AND v.key = w.key COLLATE "C" AND v.version_id = 'null' AND NOT v.is_latest
  UNION ALL
  SELECT ${VERSION} FROM unnest($4::text[], $5::text[], $6::bigint[]) AS w(bucket_id, key, rank)
  JOIN object_versions v ON v.bucket_id = w.bucket_id AND v.key = w.key COLLATE "C" AND v.rank = w.rank`;

async function readVersions(client: PoolClient, changes: readonly Change[]): Promise<VersionRow[]> {
  const depths = new Map<string, { bucketId: string; key: string; depth: number }>();
  const named: { bucketId: string; key: string; rank: number }[] = [];
  for (const { bucketId, key, versionId } of changes.flatMap(placesOf)) {
    const place = `${bucketId}\0${key}`;
    depths.set(place, { bucketId, key, depth: (depths.get(place)?.depth ?? 1) + 1 });
    const rank = versionId === undefined ? undefined : rankOf(versionId);
    if (rank !== undefined) named.push({ bucketId, key, rank });
  }
  if (depths.size === 0) return [];
  const keys = [...depths.values()];
  // Without a name: a plan that was made while the table was small would stay.
  const { rows } = await client.query<VersionRow>(VERSIONS, [
    keys.map(({ bucketId }) => bucketId),
    keys.map(({ key }) => key),
    keys.map(({ depth }) => depth),
    named.map(({ bucketId }) => bucketId),
    named.map(({ key }) => key),
    named.map(({ rank }) => rank),
  ]);
  return rows;
}

function placesOf(change: Change): { bucketId: string; key: string; versionId?: string | undefined }[] {
  if (change.kind === "put" || change.kind === "complete") return [change];
  if (change.kind === "lock") return [change];
  const { bucketId } = change;
  if (change.kind === "move") return [{ bucketId, key: change.key, versionId: change.version.versionId }];
  return change.kind === "delete" ? change.choices.map(({ key, versionId }) => ({ bucketId, key, versionId })) : [];
}
