import type { ClickHouseClient } from "@clickhouse/client";
import type { Pool } from "pg";
import type { Prisma } from "../../../engines/postgres/generated/client";
import { type BytesByNoun, type Measured, NOUNS, type Noun } from "./nouns";
import { STORED_BYTES_QUOTAS } from "./stored-bytes.quotas";

export interface Stored {
  nouns: BytesByNoun;
  limit: number;
}

/** After something was stored. */
const MEASURED_AFTER = "interval '1 minute'";
/** Nothing was stored; deletions and the ends of retention are found. */
const MEASURED_IDLE = "interval '15 minutes'";
const ASKED_APART = "interval '5 seconds'";
/** A measurement takes at most a twentieth of the time. */
const restOf = (measuredAt: string): string => `${measuredAt} + 20 * measure_ms * interval '1 millisecond'`;

export async function readStored(sql: Pool, tenantId: string): Promise<Stored> {
  const { rows } = await sql.query<{ limit: number | null; nouns: BytesByNoun | null }>({
    name: "read_stored_bytes",
    text: `SELECT (SELECT json_object_agg(noun, bytes) FROM stored_bytes WHERE tenant_id = $1) AS nouns,
      (SELECT "limit"::float8 FROM quotas WHERE tenant_id = $1 AND resource = 'stored_bytes') AS "limit"`,
    values: [tenantId],
  });
  return { nouns: rows[0]?.nouns ?? {}, limit: rows[0]?.limit ?? STORED_BYTES_QUOTAS.stored_bytes.defaultLimit };
}

/** The end of an INSERT into `stored_bytes AS s`; its bytes are added, and are measured at its time or earlier. */
const ADD = `ON CONFLICT (tenant_id, noun) DO UPDATE SET bytes = greatest(0, s.bytes + excluded.bytes),
  due_at = least(s.due_at, greatest(excluded.due_at, ${restOf("s.measured_at").replace("measure_ms", "s.measure_ms")}))`;

/** Adds bytes to what is stored; those of tenants that do not exist any more are left out. */
export async function addStored(sql: Pool, added: ReadonlyMap<string, BytesByNoun>, now: Date): Promise<void> {
  const rows = [...added].flatMap(([tenantId, nouns]) =>
    Object.entries(nouns).map(([noun, bytes]) => [tenantId, noun, bytes] as const),
  );
  // In the order of the key, so that two processes cannot wait for each other.
  await sql.query({
    name: "add_stored_bytes",
    text: `INSERT INTO stored_bytes AS s (tenant_id, noun, bytes, due_at)
      SELECT n.*, $4::timestamptz + ${MEASURED_AFTER} FROM unnest($1::text[], $2::text[], $3::bigint[]) AS n(tenant_id, noun, bytes)
      WHERE EXISTS (SELECT FROM tenants t WHERE t.id = n.tenant_id) ORDER BY 1, 2 ${ADD}`,
    values: [rows.map(([tenantId]) => tenantId), rows.map(([, noun]) => noun), rows.map(([, , bytes]) => bytes), now],
  });
}

/** The same for one noun, in a transaction. */
export async function addStoredIn(
  tx: Prisma.TransactionClient,
  { tenantId, noun, bytes, now }: { tenantId: string; noun: Noun; bytes: number; now: Date },
): Promise<void> {
  await tx.$executeRawUnsafe(
    `INSERT INTO stored_bytes AS s (tenant_id, noun, bytes, due_at)
      SELECT id, $2, $3::bigint, $4::timestamptz + ${MEASURED_AFTER} FROM tenants WHERE id = $1 ${ADD}`,
    tenantId,
    noun,
    BigInt(bytes),
    now,
  );
}

/** Makes what a tenant stores due to be measured soon. */
export async function askToMeasure(sql: Pool, tenantId: string, now: Date): Promise<void> {
  await sql.query(
    `UPDATE stored_bytes SET
        due_at = least(due_at, greatest($2, measured_at + ${ASKED_APART}, ${restOf("measured_at")}))
      WHERE tenant_id = $1 AND bytes > 0`,
    [tenantId, now],
  );
}

export const NEXT_MEASUREMENT = "SELECT min(due_at) FROM stored_bytes";

interface DueNoun {
  tenantId: string;
  noun: Noun;
  bytes: number;
}

/** One noun of one tenant whose measurement is due, which no other call gets until it is stored, or for 15 minutes. */
export async function claimDue(sql: Pool, now: Date): Promise<DueNoun | undefined> {
  const { rows } = await sql.query<DueNoun>(
    `UPDATE stored_bytes s SET due_at = $1::timestamptz + ${MEASURED_IDLE}
      FROM (SELECT tenant_id, noun FROM stored_bytes WHERE due_at <= $1 ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED) due
      WHERE s.tenant_id = due.tenant_id AND s.noun = due.noun
      RETURNING s.tenant_id AS "tenantId", s.noun, s.bytes::float8 AS bytes`,
    [now],
  );
  return rows[0];
}

/** Longer than other statements may take, and shorter than a claim. */
const MEASURE_MAX_MS = 10 * 60_000;

/** The bytes of one noun, as they are stored. When `stopping` is aborted, the query ends, and this throws. */
export async function measure(
  { sql, clickhouse }: { sql: Pool; clickhouse: ClickHouseClient },
  { tenantId, noun }: DueNoun,
  stopping: AbortSignal,
): Promise<number> {
  const measured: Measured = NOUNS[noun];
  if ("query" in measured) return measureInPostgres(sql, { tenantId, query: measured.query }, stopping);
  const answer = await clickhouse.query({
    query: measured.clickhouse,
    query_params: { tenantId },
    format: "JSONEachRow",
    abort_signal: stopping,
    clickhouse_settings: { max_execution_time: MEASURE_MAX_MS / 1000 },
  });
  const [row] = await answer.json<{ bytes: number }>();
  return Math.round(row?.bytes ?? 0);
}

async function measureInPostgres(
  sql: Pool,
  { tenantId, query: ofTenant }: { tenantId: string; query: string },
  stopping: AbortSignal,
): Promise<number> {
  const client = await sql.connect();
  let isHeld = true;
  const release = (closes: boolean) => {
    if (isHeld) client.release(closes);
    isHeld = false;
  };
  const close = () => release(true);
  stopping.addEventListener("abort", close);
  try {
    await client.query(`BEGIN READ ONLY; SET LOCAL statement_timeout = ${MEASURE_MAX_MS}`);
    const text = `SELECT coalesce((${ofTenant}), 0)::float8 AS bytes`;
    const query = { text, values: [tenantId], query_timeout: MEASURE_MAX_MS };
    const { rows } = await client.query<{ bytes: number }>(query);
    await client.query("COMMIT");
    release(false);
    return rows[0]?.bytes ?? 0;
  } finally {
    close();
    stopping.removeEventListener("abort", close);
  }
}

/** What was added during the measurement is added to it. Who stores nothing is not measured before something is added. */
export async function storeMeasured(
  sql: Pool,
  { tenantId, noun, bytes: before }: DueNoun,
  { bytes, ms, now }: { bytes: number; ms: number; now: Date },
): Promise<void> {
  await sql.query(
    `UPDATE stored_bytes SET bytes = greatest(0, $3::bigint + bytes - $4::bigint), measured_at = $5, measure_ms = $6::int,
        due_at = CASE WHEN $3 > 0 OR bytes <> $4
          THEN greatest(due_at, $5::timestamptz + 20 * $6::int * interval '1 millisecond') END
      WHERE tenant_id = $1 AND noun = $2`,
    [tenantId, noun, bytes, before, now, ms],
  );
}
