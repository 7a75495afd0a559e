import type { Pool } from "pg";
import type { Signal } from "./signal";

/** A signal on its way into the table, under the pseudonym of its user or session. */
export interface SignalRow {
  tenantId: string;
  subjectKey: string;
  at: number;
  signal: Signal;
}

const INSERT = `
  INSERT INTO signals (tenant_id, subject_key, category, confidence, subject, attributes, iab, created_at)
  SELECT tenant_id, subject_key, category, confidence, subject, attributes, iab, created_at
  FROM json_to_recordset($1::json) AS s(tenant_id text, subject_key text, category text, confidence float8, subject text,
    attributes jsonb, iab jsonb, created_at timestamptz)`;

export async function insertSignals(sql: Pool, rows: readonly SignalRow[]): Promise<void> {
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
  await sql.query({ name: "insert_signals", text: INSERT, values: [JSON.stringify(values)] });
}

/** The newest `each` signals of every key since `sinceMs`, oldest first within a key. */
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
