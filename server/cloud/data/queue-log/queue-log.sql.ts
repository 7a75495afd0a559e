import {
  type Located,
  type RecordsByPosition,
  type RecordsRow,
  recordsOf,
  selectRecords,
  valuesOf,
  wantedRecords,
} from "./chunks.sql";
import type { Entry } from "./entry";
import type { NewChunk } from "./pack-messages";
import { writeRecords } from "./record";
import type { Sql } from "./sql";

/** A message to be stored. */
export interface NewMessageRow {
  id: string;
  groupId: string | undefined;
  body: string;
  form: number;
  bytes: number;
  visibleFrom: number;
  /** Kept for 5 minutes. */
  deduplicationId: string | undefined;
}

export interface Turn {
  queueId: string;
  /** The number of the entry; the one before it must be the last. */
  seq: number;
  entry: { at: number; text: string };
  /** New messages, and the chunks that they form. */
  rows: readonly NewMessageRow[];
  chunks: readonly NewChunk[];
  /** Messages whose records are wanted. */
  wanted: readonly Located[];
}

/**
 * Turns of one queue wait for each other, so that a process that was overtaken twice can get its turn by waiting.
 * Entries are deleted some minutes after they were made at the earliest: where the entry before exists, a missing one is
 * new.
 */
const LOG = `
  WITH turn_lock AS MATERIALIZED (SELECT pg_advisory_xact_lock(hashtextextended($1::text, 0))),
  turn AS (
    INSERT INTO queue_log (queue_id, seq, entry)
    SELECT $1, $2::bigint, $3 FROM turn_lock
    WHERE EXISTS (SELECT FROM queue_log WHERE queue_id = $1 AND seq = $2::bigint - 1)
    ON CONFLICT DO NOTHING RETURNING 1
  )`;

const STORED = `,
  stored AS (
    INSERT INTO queue_chunks (queue_id, first, count, stored_at, messages, records)
    SELECT $1, c.first, c.count, $4::bigint, c.messages, substr($10::bytea, c.start + 1, c.length)
    FROM turn, unnest($5::bigint[], $6::int[], $7::text[], $8::int[], $9::int[]) AS c(first, count, messages, start, length)
  )`;

const REMEMBERED = `,
  remembered AS (
    INSERT INTO queue_deduplications (queue_id, deduplication_id, message_id, sent_at)
    SELECT $1, m.deduplication_id, m.id, $4::bigint FROM turn, unnest($11::text[], $12::text[]) AS m(deduplication_id, id)
    ON CONFLICT (queue_id, deduplication_id) DO UPDATE SET message_id = excluded.message_id, sent_at = excluded.sent_at
  )`;

const DONE = " SELECT NULL::float8 AS position FROM turn";

const withRecords = (n: number): string => `
  SELECT r.position, r.records FROM turn, (${selectRecords(n)}) AS r UNION ALL SELECT NULL, NULL FROM turn`;

const STATEMENTS = {
  entry: LOG + DONE,
  records: LOG + withRecords(4),
  stored: LOG + STORED + DONE,
  storedRecords: LOG + STORED + withRecords(11),
  remembered: LOG + STORED + REMEMBERED + DONE,
  rememberedRecords: LOG + STORED + REMEMBERED + withRecords(13),
};

/** Appends the entry with everything that belongs to it; undefined if another process was first. Returns the records. */
export async function appendTurn(sql: Sql, turn: Turn): Promise<RecordsByPosition | undefined> {
  const { rows, chunks, wanted, entry } = turn;
  const values: unknown[] = [turn.queueId, turn.seq, entry.text];
  if (rows.length > 0) values.push(entry.at, ...valuesOf(chunks), writeRecords(rows, entry.at));
  const remembered = rows.filter(({ deduplicationId }) => deduplicationId !== undefined);
  if (remembered.length > 0) {
    values.push(
      remembered.map(({ deduplicationId }) => deduplicationId),
      remembered.map(({ id }) => id),
    );
  }
  if (wanted.length > 0) values.push(...wantedRecords(wanted));
  const stored = remembered.length > 0 ? "remembered" : "stored";
  const kind =
    rows.length > 0
      ? wanted.length > 0
        ? (`${stored}Records` as const)
        : stored
      : wanted.length > 0
        ? "records"
        : "entry";
  const result = await sql.query<RecordsRow>({ name: `queue_turn_${kind}`, text: STATEMENTS[kind], values });
  return result.rows.length === 0 ? undefined : recordsOf(result.rows);
}

const ENTRIES = `
  SELECT seq::float8 AS seq, entry FROM queue_log WHERE queue_id = $1 AND seq > $2::bigint ORDER BY seq LIMIT $3`;

/** The next entries. The last one is never deleted: after entries that were, the first of these is not the next one. */
export async function readEntries(
  sql: Sql,
  queueId: string,
  { after, countMax }: { after: number; countMax: number },
): Promise<{ seq: number; entry: Entry; bytes: number }[]> {
  const { rows } = await sql.query<{ seq: number; entry: string }>({
    name: "queue_entries",
    text: ENTRIES,
    values: [queueId, after, countMax],
  });
  return rows.map(({ seq, entry }) => ({ seq, entry: JSON.parse(entry) as Entry, bytes: entry.length }));
}

const LAST = `
  SELECT q.id, (SELECT max(seq) FROM queue_log l WHERE l.queue_id = q.id)::float8 AS seq FROM unnest($1::text[]) AS q(id)`;

/** The number of the last entry of each queue. */
export async function readLastSeqs(sql: Sql, queueIds: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql.query<{ id: string; seq: number | null }>({
    name: "queue_last_seqs",
    text: LAST,
    values: [queueIds],
  });
  return new Map(rows.map(({ id, seq }) => [id, seq ?? 0]));
}

const DUPLICATES = `
  SELECT deduplication_id, message_id FROM queue_deduplications
  WHERE queue_id = $1 AND deduplication_id = ANY ($2::text[]) AND sent_at > $3::bigint`;

/** The messages that were sent with these deduplication ids after a time. */
export async function readDuplicates(
  sql: Sql,
  queueId: string,
  { ids, after }: { ids: readonly string[]; after: number },
): Promise<Map<string, string>> {
  const { rows } = await sql.query<{ deduplication_id: string; message_id: string }>({
    name: "queue_duplicates",
    text: DUPLICATES,
    values: [queueId, ids, after],
  });
  return new Map(rows.map(({ deduplication_id, message_id }) => [deduplication_id, message_id]));
}
