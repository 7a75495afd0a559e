import type { Pool } from "pg";
import { inTransaction } from "../../engines/postgres/in-transaction";

export const ROWS_PER_SLICE_MAX = 5000;
/** A time in the past while something waits. */
export const OUTBOX_LEFT = `(SELECT to_timestamp(0) FROM outbox LIMIT 1)
  UNION ALL (SELECT to_timestamp(0) FROM outbox_slices LIMIT 1) LIMIT 1`;

/** Rows on their way to ClickHouse. The content of a slice never changes, so its token can be used again. */
export interface OutboxSlice {
  id: string;
  table: string;
  /** JSON, one row per line. */
  rows: string;
}

/**
 * Moves waiting outbox rows into immutable slices, one per table. Rows are moved rather than tracked by number, so a
 * row that commits late is taken by a later slice. Returns how many rows moved.
 */
export async function sliceOutbox(sql: Pool): Promise<number> {
  const { rows } = await sql.query<{ moved: number }>({
    name: "slice_outbox",
    text: `
      WITH picked AS MATERIALIZED (SELECT seq FROM outbox ORDER BY seq LIMIT ${ROWS_PER_SLICE_MAX} FOR UPDATE SKIP LOCKED),
      moved AS (DELETE FROM outbox USING picked WHERE outbox.seq = picked.seq RETURNING outbox.seq, "table", row),
      sliced AS (INSERT INTO outbox_slices ("table", rows) SELECT "table", string_agg(row::text, E'\\n' ORDER BY seq) FROM moved GROUP BY "table")
      SELECT count(*)::int AS moved FROM moved`,
  });
  return rows[0]?.moved ?? 0;
}

/**
 * Passes the oldest unlocked slice to `send` and deletes it after it was sent; returns false if there is none. The row
 * is locked meanwhile. If this process dies, Postgres releases the lock and another process sends the slice again.
 */
export async function sendSlice(sql: Pool, send: (slice: OutboxSlice) => Promise<void>): Promise<boolean> {
  return inTransaction(sql, async (client) => {
    await client.query(LONG_INSERTS);
    const { rows } = await client.query<OutboxSlice>(OLDEST_SLICE);
    const [slice] = rows;
    if (!slice) return false;
    await send(slice);
    await client.query({
      name: "drop_outbox_slice",
      text: "DELETE FROM outbox_slices WHERE id = $1",
      values: [slice.id],
    });
    return true;
  });
}

/** A slice with many rejected rows is inserted in many pieces. */
const LONG_INSERTS = "SET LOCAL idle_in_transaction_session_timeout = '10min'";
const OLDEST_SLICE = {
  name: "oldest_outbox_slice",
  text: `SELECT id::text, "table", rows FROM outbox_slices ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED`,
};
