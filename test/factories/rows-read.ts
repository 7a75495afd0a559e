import type { Pool } from "pg";

export interface RowsRead {
  /** Tables that were read by a sequential scan. */
  scanned: string[];
  /** Indexes that were used to look up rows. */
  indexes: string[];
  /** Number of rows read, over all tables. */
  rows: number;
}

interface Counts {
  name: string;
  scans: number;
  rows: number;
}

/**
 * What `run` reads on a pool of one connection, by the statistics of Postgres. Statistics of other clients of the
 * database are included.
 */
export async function rowsRead(sql: Pool, run: () => Promise<unknown>): Promise<RowsRead> {
  const before = await countsOf(sql);
  await run();
  const after = await countsOf(sql);
  const grown = (which: "tables" | "indexes", column: "scans" | "rows") => {
    const known = new Map(before[which].map((one) => [one.name, one[column]]));
    return after[which].filter((one) => one[column] > (known.get(one.name) ?? 0));
  };
  const total = ({ tables }: Awaited<ReturnType<typeof countsOf>>) => tables.reduce((sum, one) => sum + one.rows, 0);
  return {
    scanned: grown("tables", "scans").map(({ name }) => name),
    indexes: grown("indexes", "scans").map(({ name }) => name),
    rows: total(after) - total(before),
  };
}

async function countsOf(sql: Pool): Promise<{ tables: Counts[]; indexes: Counts[] }> {
  await sql.query("SELECT pg_stat_force_next_flush()");
  const { rows: tables } = await sql.query<Counts>(
    `SELECT relname AS name, seq_scan::int AS scans, (seq_tup_read + coalesce(idx_tup_fetch, 0))::int AS rows
     FROM pg_stat_user_tables`,
  );
  const { rows: indexes } = await sql.query<Counts>(
    "SELECT indexrelname AS name, idx_scan::int AS scans, 0 AS rows FROM pg_stat_user_indexes",
  );
  return { tables, indexes };
}
