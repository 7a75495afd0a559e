import { quotaExceeded } from "../../../identity/quotas/quota";
import { ServiceError } from "../../../kernel/errors";
import { STORED_BYTES_QUOTAS } from "./stored-bytes.quotas";
import { TELEMETRY_BYTES } from "./telemetry-bytes";

/**
 * What counts toward the quota `stored_bytes`: how the bytes of one tenant are measured, and what frees some. Another
 * noun is one more entry; it is measured from the first `StoredBytes.count` of a tenant on.
 */
export const NOUNS = {
  objects: {
    query: "SELECT sum(bytes) FROM buckets WHERE tenant_id = $1",
    remedy: "delete objects, old versions or unfinished uploads",
  },
  queues: {
    query: `SELECT sum(octet_length(c.records) + octet_length(c.messages)) FROM queues q
      JOIN queue_chunks c ON c.queue_id = q.id WHERE q.tenant_id = $1 AND q.deleted_at IS NULL`,
    remedy: "acknowledge messages, or purge or delete queues",
  },
  kv: {
    query: "SELECT sum(bytes) FROM edge_kv_namespaces WHERE tenant_id = $1",
    remedy: "delete keys of KV namespaces",
  },
  /** What nodes report of the disks in which the kernel limits volumes. */
  volumes: {
    query: "SELECT sum(bytes) FROM disk_uses WHERE tenant_id = $1 AND noun = 'volumes'",
    remedy: "delete files in volumes, or pods with a volume, workspaces or shared volumes",
  },
  /** What nodes report of the disks of pods, sandboxes and workspaces, and of their output; ended ones included. */
  pods: {
    query: "SELECT sum(bytes) FROM disk_uses WHERE tenant_id = $1 AND noun = 'pods'",
    remedy: "delete pods, or files in those that run",
  },
  /** Whole databases, with the catalogs that PostgreSQL keeps in each. */
  databases: {
    query: `SELECT sum(pg_database_size(p.oid)) FROM edge_sql_databases d
      JOIN pg_database p ON p.datname = 'svc_' || d.id WHERE d.tenant_id = $1`,
    remedy: "drop tables, or truncate them, in SQL databases; one that no function binds is deleted after 7 days",
  },
  /** Code, calls and log lines of functions and edge functions. The length of a text is read without the text. */
  functions: {
    query: `SELECT coalesce((SELECT sum(octet_length(v.code)) FROM functions f
          JOIN function_versions v ON v.function_id = f.id WHERE f.tenant_id = $1), 0)
        + coalesce((SELECT sum(coalesce(octet_length(payload), 0) + coalesce(octet_length(result), 0) + octet_length(logs))
          FROM function_invocations WHERE tenant_id = $1), 0)
        + coalesce((SELECT sum(octet_length(v.code)) FROM edge_functions f
          JOIN edge_versions v ON v.edge_id = f.id WHERE f.tenant_id = $1), 0)
        + coalesce((SELECT sum(octet_length(l.text)) FROM edge_functions f
          JOIN edge_log_lines l ON l.edge_id = f.id WHERE f.tenant_id = $1), 0)`,
    remedy: "delete functions or edge functions; their calls and log lines are kept for a day",
  },
  telemetry: {
    clickhouse: TELEMETRY_BYTES,
    remedy: "delete telemetry stores, or give those that receive much a shorter retention",
  },
  checkpoints: {
    query: `SELECT coalesce((SELECT sum(checkpoint_bytes) FROM pods WHERE tenant_id = $1), 0)
      + coalesce((SELECT sum(stored_bytes) FROM volume_snapshots WHERE tenant_id = $1), 0)`,
    remedy: "delete checkpoints of pods or snapshots of volumes",
  },
} as const satisfies Record<string, Measured & { remedy: string }>;

/** In PostgreSQL, of the tenant $1, or in ClickHouse, of {tenantId:String}. */
export type Measured = { query: string } | { clickhouse: string };

export type Noun = keyof typeof NOUNS;
export type BytesByNoun = Readonly<Partial<Record<Noun, number>>>;

export const sumOf = (nouns: BytesByNoun): number => Object.values(nouns).reduce((sum, bytes) => sum + bytes, 0);

/** The error of the limit, with what takes how much, the largest first. */
export function exceeded({ nouns, limit }: { nouns: BytesByNoun; limit: number }): ServiceError {
  const sizes = (Object.keys(NOUNS) as Noun[])
    .map((noun) => ({ noun, bytes: nouns[noun] ?? 0, remedy: NOUNS[noun].remedy }))
    .filter(({ bytes }) => bytes > 0)
    .sort((a, b) => b.bytes - a.bytes);
  const { message, details } = quotaExceeded(STORED_BYTES_QUOTAS.stored_bytes, limit);
  const parts = sizes.map(({ noun, bytes, remedy }) => `${noun} take ${textOf(bytes)} (${remedy})`);
  const text = parts.length === 0 ? message : `${message} Of what is stored, ${parts.join("; ")}.`;
  return new ServiceError("quota_exceeded", text, { details: { ...details, used: sumOf(nouns), nouns: sizes } });
}

const UNITS = ["B", "KiB", "MiB", "GiB", "TiB"];

function textOf(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log2(bytes) / 10)));
  return `${Math.round((bytes / 1024 ** power) * 10) / 10} ${UNITS[power]}`;
}
