import type { Pool } from "pg";

export const ROWS_PER_SLICE_MAX = 5000;

/** Rows on their way to ClickHouse; what stands in a slice never changes, so its token can be used again. */
export interface OutboxSlice {
  id: string;
  table: string;
  /** JSON, one row a line. */
  rows: string;
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
      sliced AS (INSERT INTO outbox_slices ("table", rows) SELECT "table", string_agg(row::text, E'\\n' ORDER BY seq) FROM moved GROUP BY "table")
      SELECT count(*)::int AS moved FROM moved`,
  });
  return rows[0]?.moved ?? 0;
}

/**
 * Hands the oldest slice that nobody works on to `send` and drops it once it was sent; false when there is none. The row
 * stays locked meanwhile: Postgres frees it in the moment that this process dies, and then somebody sends it again.
 */
export async function sendSlice(sql: Pool, send: (slice: OutboxSlice) => Promise<void>): Promise<boolean> {
  const client = await sql.connect();
  let isBroken = false;
  try {
    await client.query("BEGIN");
    const { rows } = await client.query<OutboxSlice>(OLDEST_SLICE);
    const [slice] = rows;
    if (slice) {
      await send(slice);
      await client.query({
        name: "drop_outbox_slice",
        text: "DELETE FROM outbox_slices WHERE id = $1",
        values: [slice.id],
      });
    }
    await client.query("COMMIT");
    return slice !== undefined;
  } catch (failure) {
    await client.query("ROLLBACK").catch(() => {
      isBroken = true;
    });
    throw failure;
  } finally {
    client.release(isBroken);
  }
}

const OLDEST_SLICE = {
  name: "oldest_outbox_slice",
  text: `SELECT id::text, "table", rows FROM outbox_slices ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED`,
};
