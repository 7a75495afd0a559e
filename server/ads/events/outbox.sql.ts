import type { Pool } from "pg";
import type { FactRow } from "./fact-rows";

export const ROWS_PER_SLICE_MAX = 5000;
const LEASE_SECONDS = 30;

/** Rows on their way to ClickHouse; what stands in a slice never changes, so its token can be used again. */
export interface OutboxSlice {
  id: string;
  table: string;
  rows: FactRow[];
}

/**
 * Freezes waiting outbox rows into slices, one for each table. Rows are moved, not numbered past: a row that commits
 * late is simply taken by a later slice. Answers how many rows moved.
 */
export async function sliceOutbox(sql: Pool): Promise<number> {
  const { rows } = await sql.query<{ moved: number }>({
    name: "slice_outbox",
    text: `
      WITH picked AS MATERIALIZED (SELECT seq FROM outbox ORDER BY seq LIMIT ${ROWS_PER_SLICE_MAX} FOR UPDATE SKIP LOCKED),
      moved AS (DELETE FROM outbox USING picked WHERE outbox.seq = picked.seq RETURNING outbox.seq, "table", row),
      sliced AS (INSERT INTO outbox_slices ("table", rows) SELECT "table", jsonb_agg(row ORDER BY seq) FROM moved GROUP BY "table")
      SELECT count(*)::int AS moved FROM moved`,
  });
  return rows[0]?.moved ?? 0;
}

/** Takes the oldest slice that nobody works on, for 30 s; a slice that is sent twice is stored once by its token. */
export async function leaseSlice(sql: Pool): Promise<OutboxSlice | undefined> {
  const { rows } = await sql.query<OutboxSlice>({
    name: "lease_outbox_slice",
    text: `
      UPDATE outbox_slices SET leased_until = now() + interval '${LEASE_SECONDS} seconds'
      WHERE id = (SELECT id FROM outbox_slices WHERE leased_until < now() ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING id::text, "table", rows`,
  });
  return rows[0];
}

export async function dropSlice(sql: Pool, id: string): Promise<void> {
  await sql.query({ name: "drop_outbox_slice", text: "DELETE FROM outbox_slices WHERE id = $1", values: [id] });
}

/** Gives a slice back at once, for the next try to take. */
export async function releaseSlice(sql: Pool, id: string): Promise<void> {
  await sql.query("UPDATE outbox_slices SET leased_until = '-infinity' WHERE id = $1", [id]);
}
