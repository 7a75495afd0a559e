import { CHUNK_MESSAGES_MAX } from "./pack-messages";
import type { Sql } from "./sql";

/** Chunks of which all positions are below `position`, and entries below `seq`, are deleted. */
export interface SweepPosition {
  position: number;
  seq: number;
}

export async function readSwept(sql: Sql, queueId: string): Promise<SweepPosition> {
  const { rows } = await sql.query<SweepPosition>(
    "SELECT position::float8 AS position, seq::float8 AS seq FROM queue_sweeps WHERE queue_id = $1",
    [queueId],
  );
  return rows[0] ?? { position: 0, seq: 0 };
}

export async function writeSwept(sql: Sql, queueId: string, { position, seq }: SweepPosition): Promise<void> {
  await sql.query(
    `INSERT INTO queue_sweeps AS s (queue_id, position, seq) VALUES ($1, $2, $3)
     ON CONFLICT (queue_id) DO UPDATE SET position = greatest(s.position, $2), seq = greatest(s.seq, $3)`,
    [queueId, position, seq],
  );
}

export async function deleteBelow(
  sql: Sql,
  queueId: string,
  { from, to, snapshot }: { from: SweepPosition; to: SweepPosition; snapshot: number },
): Promise<void> {
  // The last deletion left the chunk that it reached the middle of.
  await sql.query(
    `DELETE FROM queue_chunks WHERE queue_id = $1 AND first > $2::bigint - ${CHUNK_MESSAGES_MAX}
       AND first < $3::bigint AND first + count <= $3::bigint`,
    [queueId, from.position, to.position],
  );
  await sql.query("DELETE FROM queue_log WHERE queue_id = $1 AND seq >= $2 AND seq < $3", [queueId, from.seq, to.seq]);
  await sql.query("DELETE FROM queue_snapshots WHERE queue_id = $1 AND seq < $2", [queueId, snapshot]);
}

export async function readRemoved(sql: Sql): Promise<string[]> {
  const { rows } = await sql.query<{ queue_id: string }>(
    "SELECT queue_id FROM queue_sweeps WHERE removed ORDER BY queue_id LIMIT 100",
  );
  return rows.map(({ queue_id }) => queue_id);
}

/** True if there may be more. The last entry and snapshot stay: they say that the queue was removed. */
export async function deleteRemoved(sql: Sql, queueId: string, rowsMax: number): Promise<boolean> {
  const chunks = await sql.query(
    `DELETE FROM queue_chunks WHERE queue_id = $1 AND first <= (
       SELECT max(first) FROM (SELECT first FROM queue_chunks WHERE queue_id = $1 ORDER BY first LIMIT $2) AS c)`,
    [queueId, rowsMax],
  );
  if (chunks.rowCount === rowsMax) return true;
  const entries = await sql.query(
    `DELETE FROM queue_log WHERE queue_id = $1 AND seq < (SELECT max(seq) FROM queue_log WHERE queue_id = $1)
       AND seq <= (SELECT max(seq) FROM (SELECT seq FROM queue_log WHERE queue_id = $1 ORDER BY seq LIMIT $2) AS l)`,
    [queueId, rowsMax],
  );
  if (entries.rowCount === rowsMax) return true;
  await sql.query(
    `DELETE FROM queue_snapshots
     WHERE queue_id = $1 AND seq < (SELECT max(seq) FROM queue_snapshots WHERE queue_id = $1)`,
    [queueId],
  );
  await sql.query("DELETE FROM queue_deduplications WHERE queue_id = $1", [queueId]);
  await sql.query("DELETE FROM queue_sweeps WHERE queue_id = $1", [queueId]);
  return false;
}

/** By the database's clock, twice as old as they may matter. True if there may be more. */
export async function deleteOldDuplicates(sql: Sql, rowsMax: number): Promise<boolean> {
  const { rowCount } = await sql.query(
    `DELETE FROM queue_deduplications WHERE (queue_id, deduplication_id) IN (
       SELECT queue_id, deduplication_id FROM queue_deduplications
       WHERE sent_at < extract(epoch FROM now() - interval '10 minutes') * 1000 ORDER BY sent_at LIMIT $1)`,
    [rowsMax],
  );
  return rowCount === rowsMax;
}
