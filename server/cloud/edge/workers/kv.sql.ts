import type { Pool, PoolClient } from "pg";
import { inTransaction } from "../../../engines/postgres/in-transaction";
import { ServiceError } from "../../../kernel/errors";
import { newId } from "../../../kernel/ids";
import type { Owner } from "../../../operation/actor";

const VALUE_BYTES_MAX = 1024 * 1024;
const NAMESPACE_BYTES_MAX = 100 * 1024 * 1024;
const ENTRIES_MAX = 100_000;
/** Of a tenant. */
const NAMESPACES_MAX = 20;

/** A namespace, which may not exist yet. */
export interface KvNamespaceOwner extends Owner {
  namespace: string;
  now: Date;
}

/** Undefined for a key that does not exist or has expired. */
export async function getKv(
  sql: Pool,
  owner: KvNamespaceOwner,
  key: string,
): Promise<{ value: Buffer; expiresAt: Date | null } | undefined> {
  const { rows } = await sql.query<{ value: Buffer; expiresAt: Date | null }>({
    name: "edge_kv_get",
    text: `SELECT e.value, e.expires_at AS "expiresAt" FROM edge_kv_namespaces n JOIN edge_kv_entries e ON e.namespace_id = n.id
      WHERE n.project_id = $1 AND n.mode = $2::"Mode" AND n.name = $3 AND e.key = $4
        AND (e.expires_at IS NULL OR e.expires_at > $5)`,
    values: [owner.projectId, owner.mode, owner.namespace, key, owner.now],
  });
  return rows[0];
}

interface NewEntry {
  key: string;
  value: Buffer;
  expiresAt: Date | null;
  isSmokeRun: boolean;
}

/** Returns how many bytes the namespace has more. Throws `payload_too_large` for a value and `quota_exceeded` for a namespace. */
export async function putKv(
  sql: Pool,
  owner: KvNamespaceOwner,
  { key, value, expiresAt, isSmokeRun }: NewEntry,
): Promise<number> {
  if (value.length > VALUE_BYTES_MAX) throw new ServiceError("payload_too_large", "A KV value has at most 1 MiB.");
  if (isSmokeRun) return 0;
  return inTransaction(sql, async (client) => {
    const namespace = await lockNamespace(client, owner);
    const old = await sizeOf(client, namespace.id, key);
    const bytes = bytesOf(key, value.length);
    const sums = { entries: namespace.entries + (old ? 0 : 1), bytes: namespace.bytes + bytes - (old ?? 0) };
    if (sums.bytes > NAMESPACE_BYTES_MAX || sums.entries > ENTRIES_MAX) throw full(owner.namespace);
    await client.query(
      `INSERT INTO edge_kv_entries (namespace_id, key, value, expires_at) VALUES ($1, $2, $3, $4)
        ON CONFLICT (namespace_id, key) DO UPDATE SET value = EXCLUDED.value, expires_at = EXCLUDED.expires_at`,
      [namespace.id, key, value, expiresAt],
    );
    await client.query("UPDATE edge_kv_namespaces SET entries = $2, bytes = $3 WHERE id = $1", [
      namespace.id,
      sums.entries,
      sums.bytes,
    ]);
    return sums.bytes - namespace.bytes;
  });
}

/** Returns whether there was such a key. */
export async function deleteKv(sql: Pool, owner: KvNamespaceOwner, key: string): Promise<boolean> {
  const { rowCount } = await sql.query(
    `WITH own AS MATERIALIZED (
        SELECT id FROM edge_kv_namespaces WHERE project_id = $1 AND mode = $2::"Mode" AND name = $3 FOR UPDATE),
      gone AS (
        DELETE FROM edge_kv_entries e USING own WHERE e.namespace_id = own.id AND e.key = $4
          RETURNING e.namespace_id, octet_length(e.key) + octet_length(e.value) AS bytes)
      UPDATE edge_kv_namespaces n SET entries = n.entries - 1, bytes = n.bytes - gone.bytes
        FROM gone WHERE n.id = gone.namespace_id`,
    [owner.projectId, owner.mode, owner.namespace, key],
  );
  return rowCount === 1;
}

export async function hasKvNamespace(sql: Pool, { projectId, mode, namespace }: KvNamespaceOwner): Promise<boolean> {
  const { rowCount } = await sql.query(
    'SELECT 1 FROM edge_kv_namespaces WHERE project_id = $1 AND mode = $2::"Mode" AND name = $3',
    [projectId, mode, namespace],
  );
  return rowCount === 1;
}

interface KeyRange {
  prefix: string;
  after: string;
  max: number;
}

/** The keys with a prefix, in the order of their bytes. */
export async function listKv(
  sql: Pool,
  owner: KvNamespaceOwner,
  { prefix, after, max }: KeyRange,
): Promise<{ key: string; expiresAt: Date | null }[]> {
  const { rows } = await sql.query<{ key: string; expiresAt: Date | null }>(
    `SELECT e.key, e.expires_at AS "expiresAt" FROM edge_kv_namespaces n JOIN edge_kv_entries e ON e.namespace_id = n.id
      WHERE n.project_id = $1 AND n.mode = $2::"Mode" AND n.name = $3
        AND e.key > $4 AND e.key >= $5 AND starts_with(e.key, $5)
        AND (e.expires_at IS NULL OR e.expires_at > $6)
      ORDER BY e.key LIMIT $7`,
    [owner.projectId, owner.mode, owner.namespace, after, prefix, owner.now, max],
  );
  return rows;
}

/** Deletes up to `max` entries that have expired. Returns how many it deleted. */
export async function deleteExpiredKv(sql: Pool, { now, max }: { now: Date; max: number }): Promise<number> {
  const { rows } = await sql.query<{ entries: number }>(
    `WITH old AS (
        SELECT e.namespace_id, e.key FROM edge_kv_entries e WHERE e.expires_at <= $1 ORDER BY e.expires_at LIMIT $2),
      own AS MATERIALIZED (
        SELECT id FROM edge_kv_namespaces WHERE id IN (SELECT namespace_id FROM old) ORDER BY id FOR UPDATE),
      gone AS (
        DELETE FROM edge_kv_entries e USING old, own
          WHERE e.namespace_id = own.id AND e.namespace_id = old.namespace_id AND e.key = old.key AND e.expires_at <= $1
          RETURNING e.namespace_id, octet_length(e.key) + octet_length(e.value) AS bytes),
      sums AS (SELECT namespace_id, count(*)::int AS entries, sum(bytes) AS bytes FROM gone GROUP BY namespace_id)
      UPDATE edge_kv_namespaces n SET entries = n.entries - sums.entries, bytes = n.bytes - sums.bytes
        FROM sums WHERE n.id = sums.namespace_id RETURNING sums.entries`,
    [now, max],
  );
  return rows.reduce((sum, { entries }) => sum + entries, 0);
}

interface Locked {
  id: string;
  entries: number;
  bytes: number;
}

/** Its sums change only while it is locked. */
async function lockNamespace(client: PoolClient, owner: KvNamespaceOwner): Promise<Locked> {
  const { tenantId, projectId, mode, namespace, now } = owner;
  const lock = async (): Promise<Locked | undefined> => {
    const { rows } = await client.query<Locked>(
      `SELECT id, entries, bytes::float8 AS bytes FROM edge_kv_namespaces
        WHERE project_id = $1 AND mode = $2::"Mode" AND name = $3 FOR UPDATE`,
      [projectId, mode, namespace],
    );
    return rows[0];
  };
  const known = await lock();
  if (known) return known;
  const { rowCount } = await client.query(
    `INSERT INTO edge_kv_namespaces (id, tenant_id, project_id, mode, name, entries, bytes, created_at)
      SELECT $1, $2, $3, $4::"Mode", $5, 0, 0, $6
      WHERE (SELECT count(*) FROM edge_kv_namespaces WHERE tenant_id = $2) < $7
      ON CONFLICT (project_id, mode, name) DO NOTHING`,
    [newId("ekv", now.getTime()), tenantId, projectId, mode, namespace, now, NAMESPACES_MAX],
  );
  const created = await lock();
  if (created) return created;
  throw rowCount === 0 ? tooMany() : new Error("The namespace was deleted.");
}

async function sizeOf(client: PoolClient, namespaceId: string, key: string): Promise<number | undefined> {
  const { rows } = await client.query<{ bytes: number }>(
    "SELECT octet_length(key) + octet_length(value) AS bytes FROM edge_kv_entries WHERE namespace_id = $1 AND key = $2",
    [namespaceId, key],
  );
  return rows[0]?.bytes;
}

const bytesOf = (key: string, valueBytes: number): number => Buffer.byteLength(key) + valueBytes;

const full = (namespace: string): ServiceError =>
  new ServiceError("quota_exceeded", `The KV namespace ${namespace} is full: it has at most 100,000 keys and 100 MiB.`);

const tooMany = (): ServiceError =>
  new ServiceError("quota_exceeded", `A tenant has at most ${NAMESPACES_MAX} KV namespaces.`);
