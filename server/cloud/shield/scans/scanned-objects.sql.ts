import type { Pool, PoolClient } from "pg";

/** What is known of an object that a scan has read. */
export interface ScannedObject {
  key: string;
  etag: string;
  /** Milliseconds since 1970. */
  modifiedAt: number;
  rulesVersion: string;
  coverage: "whole" | "binary" | "partly";
  omitted: number;
}

export async function readScanned(
  sql: Pool,
  bucketId: string,
  keys: readonly string[],
): Promise<Map<string, ScannedObject>> {
  const { rows } = await sql.query<ScannedObject>(
    `SELECT key, etag, (extract(epoch FROM modified_at) * 1000)::float8 AS "modifiedAt",
       rules_version AS "rulesVersion", coverage, omitted
     FROM shield_objects WHERE bucket_id = $1 AND key = ANY ($2::text[])`,
    [bucketId, keys],
  );
  return new Map(rows.map((row) => [row.key, row]));
}

interface Place {
  bucketId: string;
  scanId: string;
}

/** Records objects, those included that were not read because they did not change. */
export async function recordScanned(
  client: PoolClient,
  { bucketId, scanId }: Place,
  objects: readonly ScannedObject[],
): Promise<void> {
  if (objects.length === 0) return;
  await client.query(
    `INSERT INTO shield_objects (bucket_id, key, etag, modified_at, rules_version, coverage, omitted, last_scan_id)
     SELECT $1, r.key, r.etag, to_timestamp(r."modifiedAt" / 1000), r."rulesVersion", r.coverage, r.omitted, $3
     FROM json_to_recordset($2) AS r (key text, etag text, "modifiedAt" float8, "rulesVersion" text, coverage text,
       omitted int)
     ON CONFLICT (bucket_id, key) DO UPDATE SET etag = excluded.etag, modified_at = excluded.modified_at,
       rules_version = excluded.rules_version, coverage = excluded.coverage, omitted = excluded.omitted,
       last_scan_id = excluded.last_scan_id`,
    [bucketId, JSON.stringify(objects), scanId],
  );
}

/** Forgets the objects that the scan did not meet again: they are deleted, or could not be read. */
export async function forgetMissing(client: PoolClient, { bucketId, scanId }: Place, prefix: string): Promise<void> {
  await client.query(
    "DELETE FROM shield_objects WHERE bucket_id = $1 AND last_scan_id <> $2 AND starts_with(key, $3)",
    [bucketId, scanId, prefix],
  );
}
