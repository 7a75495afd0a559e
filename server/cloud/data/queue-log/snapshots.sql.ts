import type { Sql } from "./sql";

const NEWEST = "SELECT seq::float8 AS seq, state FROM queue_snapshots WHERE queue_id = $1 ORDER BY seq DESC LIMIT 1";

export async function readNewestSnapshot(
  sql: Sql,
  queueId: string,
): Promise<{ seq: number; state: string } | undefined> {
  const { rows } = await sql.query<{ seq: number; state: string }>({
    name: "queue_snapshot",
    text: NEWEST,
    values: [queueId],
  });
  return rows[0];
}

export async function insertSnapshot(
  sql: Sql,
  { queueId, seq, state }: { queueId: string; seq: number; state: string },
): Promise<void> {
  await sql.query("INSERT INTO queue_snapshots (queue_id, seq, state) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING", [
    queueId,
    seq,
    state,
  ]);
}

/** The entry before the first one, so that every entry has one before it. */
export async function insertOrigin(sql: Sql, queueId: string, at: number): Promise<void> {
  await sql.query("INSERT INTO queue_log (queue_id, seq, entry) VALUES ($1, 0, $2) ON CONFLICT DO NOTHING", [
    queueId,
    JSON.stringify({ at }),
  ]);
}

/** All rows of the queue are to be deleted. */
export async function markRemoved(sql: Sql, queueId: string): Promise<void> {
  await sql.query(
    `INSERT INTO queue_sweeps (queue_id, position, seq, removed) VALUES ($1, 0, 0, true)
     ON CONFLICT (queue_id) DO UPDATE SET removed = true`,
    [queueId],
  );
}
