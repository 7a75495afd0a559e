import type { PoolClient } from "pg";
import { newId } from "../../../kernel/ids";
import type { StoredBucket } from "../../data/buckets/bucket";
import { FINDING_ID_PREFIX } from "./shield-finding";

/** Open findings of one bucket; further ones are only counted. */
export const FINDINGS_MAX = 10_000;

/** A finding to store. */
export interface NewFinding {
  key: string;
  rule: string;
  valueHash: string;
  category: string;
  severity: string;
  confidence: string;
  evidence: string;
  offset: number | null;
  encoding: string;
  occurrences: number;
  matches: number;
}

export interface FindingsOf {
  bucket: StoredBucket;
  scanId: string;
  now: Date;
}

/**
 * Stores findings: one that is known is seen again, and open again if it was resolved. Returns how many are new, and
 * those that have no room.
 */
export async function storeFindings(
  client: PoolClient,
  of: FindingsOf,
  found: readonly NewFinding[],
): Promise<{ added: number; omitted: readonly NewFinding[] }> {
  if (found.length === 0) return { added: 0, omitted: [] };
  const known = await knownAmong(client, of.bucket.id, found);
  const fresh = found.filter((one) => !known.has(identityOf(one)));
  const room = fresh.length === 0 ? 0 : FINDINGS_MAX - (await countOpen(client, of.bucket.id));
  const omitted = fresh.slice(Math.max(0, room));
  const stored = omitted.length === 0 ? found : found.filter((one) => !omitted.includes(one));
  await upsert(client, of, stored);
  return { added: fresh.length - omitted.length, omitted };
}

const identityOf = ({ key, rule, valueHash }: Pick<NewFinding, "key" | "rule" | "valueHash">): string =>
  `${key}\0${rule}\0${valueHash}`;

async function knownAmong(client: PoolClient, bucketId: string, found: readonly NewFinding[]): Promise<Set<string>> {
  const keys = [...new Set(found.map(({ key }) => key))];
  const { rows } = await client.query<Pick<NewFinding, "key" | "rule" | "valueHash">>(
    `SELECT key, rule, value_hash AS "valueHash" FROM shield_findings WHERE bucket_id = $1 AND key = ANY ($2::text[])`,
    [bucketId, keys],
  );
  return new Set(rows.map(identityOf));
}

async function countOpen(client: PoolClient, bucketId: string): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM shield_findings WHERE bucket_id = $1 AND resolved_at IS NULL",
    [bucketId],
  );
  return rows[0]?.count ?? 0;
}

async function upsert(
  client: PoolClient,
  { bucket, scanId, now }: FindingsOf,
  found: readonly NewFinding[],
): Promise<void> {
  const { tenantId, projectId, mode, id: bucketId, name } = bucket;
  const rows = found.map((one) => ({ ...one, id: newId(FINDING_ID_PREFIX, now.getTime()) }));
  await client.query(
    `INSERT INTO shield_findings AS f (id, tenant_id, project_id, mode, bucket_id, bucket_name, key, rule, value_hash,
       category, severity, confidence, evidence, "offset", encoding, occurrences, matches, first_seen_at, last_seen_at,
       last_scan_id)
     SELECT r.id, $2, $3, $4::"Mode", $5, $6, r.key, r.rule, r."valueHash", r.category, r.severity, r.confidence,
       r.evidence, r."offset", r.encoding, r.occurrences, r.matches, $7, $7, $8
     FROM json_to_recordset($1) AS r (id text, key text, rule text, "valueHash" text, category text, severity text,
       confidence text, evidence text, "offset" bigint, encoding text, occurrences int, matches int)
     ON CONFLICT (bucket_id, key, rule, value_hash) DO UPDATE SET severity = excluded.severity,
       confidence = excluded.confidence, evidence = excluded.evidence, "offset" = excluded."offset",
       encoding = excluded.encoding, occurrences = excluded.occurrences, matches = excluded.matches,
       last_seen_at = excluded.last_seen_at, last_scan_id = excluded.last_scan_id, resolved_at = NULL`,
    [JSON.stringify(rows), tenantId, projectId, mode, bucketId, name, now, scanId],
  );
}

/** The open findings in objects that did not change are seen again. */
export async function keepFindings(
  client: PoolClient,
  { bucket, scanId, now }: FindingsOf,
  keys: readonly string[],
): Promise<void> {
  await client.query(
    `UPDATE shield_findings SET last_seen_at = $3, last_scan_id = $4
     WHERE bucket_id = $1 AND key = ANY ($2::text[]) AND resolved_at IS NULL`,
    [bucket.id, keys, now, scanId],
  );
}

/** What the scan did not find again in what it has looked at is resolved. Returns how many are. */
export async function resolveMissing(
  client: PoolClient,
  { bucket, scanId, now }: FindingsOf,
  prefix: string,
): Promise<number> {
  const { rowCount } = await client.query(
    `UPDATE shield_findings SET resolved_at = $3 WHERE bucket_id = $1 AND last_scan_id <> $2 AND resolved_at IS NULL
       AND (key = '' OR starts_with(key, $4))`,
    [bucket.id, scanId, now, prefix],
  );
  return rowCount ?? 0;
}

export async function countBySeverity(
  client: PoolClient,
  { bucket, scanId }: Pick<FindingsOf, "bucket" | "scanId">,
): Promise<Record<string, number>> {
  const { rows } = await client.query<{ severity: string; count: number }>(
    `SELECT severity, count(*)::int AS count FROM shield_findings
     WHERE bucket_id = $1 AND last_scan_id = $2 AND resolved_at IS NULL GROUP BY severity`,
    [bucket.id, scanId],
  );
  return Object.fromEntries(rows.map(({ severity, count }) => [severity, count]));
}
