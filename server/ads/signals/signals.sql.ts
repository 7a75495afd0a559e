import type { Pool } from "pg";
import type { Signal } from "./signal";

/** A signal to insert, under the pseudonym of its user or session. */
export interface SignalRow {
  tenantId: string;
  subjectKey: string;
  at: number;
  signal: Signal;
}

/**
 * Pruning does not see the rows inserted by its own statement, so a subject may briefly have one batch more than `$3`.
 * Rows that another process is pruning are skipped, so that two processes cannot deadlock.
 */
const INSERT = `
  WITH old AS MATERIALIZED (
    SELECT o.id FROM unnest($2::text[]) AS k(key) CROSS JOIN LATERAL (
      SELECT id FROM signals WHERE subject_key = k.key ORDER BY created_at DESC, id DESC OFFSET $3) o
  ), free AS MATERIALIZED (
    SELECT id FROM signals WHERE id = ANY (ARRAY(SELECT id FROM old)) FOR UPDATE SKIP LOCKED
  ), pruned AS (
    DELETE FROM signals WHERE id = ANY (ARRAY(SELECT id FROM free))
  )
  INSERT INTO signals (tenant_id, subject_key, category, confidence, subject, attributes, iab, created_at)
  SELECT tenant_id, subject_key, category, confidence, subject, attributes, iab, created_at
  FROM json_to_recordset($1::json) AS s(tenant_id text, subject_key text, category text, confidence float8, subject text,
    attributes jsonb, iab jsonb, created_at timestamptz)`;

/** Stores signals, and deletes all but the newest `keep` earlier signals of their users and sessions. */
export async function insertSignals(sql: Pool, rows: readonly SignalRow[], keep: number): Promise<void> {
  const values = rows.map(({ tenantId, subjectKey, at, signal }) => ({
    tenant_id: tenantId,
    subject_key: subjectKey,
    category: signal.category ?? "",
    confidence: signal.confidence ?? 1,
    subject: signal.subject ?? "",
    attributes: signal.attributes ?? {},
    iab: signal.iab ?? null,
    created_at: new Date(at).toISOString(),
  }));
  const keys = [...new Set(rows.map(({ subjectKey }) => subjectKey))];
  await sql.query({ name: "insert_signals", text: INSERT, values: [JSON.stringify(values), keys, keep] });
}

/** The newest `each` signals per key since `sinceMs`, oldest first within a key. */
export async function loadSignals(
  sql: Pool,
  { keys, sinceMs, each }: { keys: readonly string[]; sinceMs: number; each: number },
): Promise<Map<string, { signal: Signal; at: number }[]>> {
  const { rows } = await sql.query<Signal & { subject_key: string; created_at: Date; iab: Signal["iab"] | null }>({
    name: "load_signals",
    text: `SELECT s.subject_key, s.category, s.confidence, s.subject, s.attributes, s.iab, s.created_at
           FROM unnest($1::text[]) AS k(key)
           CROSS JOIN LATERAL (SELECT * FROM signals WHERE subject_key = k.key AND created_at > $2
                               ORDER BY created_at DESC, id DESC LIMIT $3) s
           ORDER BY s.created_at, s.id`,
    values: [keys, new Date(sinceMs), each],
  });
  const found = new Map<string, { signal: Signal; at: number }[]>();
  for (const { subject_key, created_at, iab, ...signal } of rows) {
    const remembered = { signal: { ...signal, ...(iab ? { iab } : {}) }, at: created_at.getTime() };
    found.set(subject_key, [...(found.get(subject_key) ?? []), remembered]);
  }
  return found;
}

export async function deleteSignals(sql: Pool, tenantId: string, keys: readonly string[]): Promise<void> {
  await sql.query({
    name: "delete_signals",
    text: "DELETE FROM signals WHERE tenant_id = $1 AND subject_key = ANY ($2::text[])",
    values: [tenantId, keys],
  });
}

/** Rows per statement: few enough for the statement timeout, however large the backlog is. */
const SWEEP_ROWS = 10_000;

/** Deletes signals shown before `before`, in statements of 10,000 rows. */
export async function deleteSignalsBefore(sql: Pool, before: Date): Promise<void> {
  for (;;) {
    const { rowCount } = await sql.query(
      `DELETE FROM signals WHERE id = ANY (ARRAY(
         SELECT id FROM signals WHERE created_at < $1 ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED))`,
      [before, SWEEP_ROWS],
    );
    if ((rowCount ?? 0) < SWEEP_ROWS) return;
  }
}
