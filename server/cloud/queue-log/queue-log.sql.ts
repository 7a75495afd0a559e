import type { Pool, PoolClient } from "pg";
import type { Entry, MessageRow } from "./entry";

export type Sql = Pick<Pool | PoolClient, "query">;

/** A message to be stored. */
export interface NewRow {
  id: string;
  groupId: string | undefined;
  body: string;
  form: number;
  bytes: number;
  visibleFrom: number;
  /** Kept for 5 minutes. */
  deduplicationId: string | undefined;
}

export interface BodyRow {
  position: number;
  id: string;
  groupId: string | undefined;
  body: string;
  form: number;
  sentAt: number;
}

export interface Turn {
  queueId: string;
  /** The number of the entry; the one before it must be the last. */
  seq: number;
  entry: Entry;
  /** The position of the first new message. */
  tail: number;
  rows: readonly NewRow[];
  /** Positions whose bodies are wanted. */
  positions: readonly number[];
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
    INSERT INTO queue_messages (queue_id, position, id, group_id, body, form, bytes, sent_at, stored_at, visible_from)
    SELECT $1, $4::bigint + m.n - 1, m.id, m.group_id, m.body, m.form, m.bytes, $5::bigint, $5::bigint, m.visible_from
    FROM turn, unnest($6::text[], $7::text[], $8::text[], $9::smallint[], $10::int[], $11::bigint[])
      WITH ORDINALITY AS m(id, group_id, body, form, bytes, visible_from, n)
  )`;

const REMEMBERED = `,
  remembered AS (
    INSERT INTO queue_deduplications (queue_id, deduplication_id, message_id, sent_at)
    SELECT $1, m.deduplication_id, m.id, $5::bigint FROM turn, unnest($12::text[], $6::text[]) AS m(deduplication_id, id)
    WHERE m.deduplication_id IS NOT NULL
    ON CONFLICT (queue_id, deduplication_id) DO UPDATE SET message_id = excluded.message_id, sent_at = excluded.sent_at
  )`;

const DONE = " SELECT NULL::float8 AS position FROM turn";

const BODY = "m.position::float8 AS position, m.id, m.group_id, m.body, m.form, m.sent_at::float8 AS sent_at";

const withBodies = (positions: string): string => `
  SELECT ${BODY} FROM turn, queue_messages m WHERE m.queue_id = $1 AND m.position = ANY (${positions}::bigint[])
  UNION ALL SELECT NULL, NULL, NULL, NULL, NULL, NULL FROM turn`;

const STATEMENTS = {
  entry: LOG + DONE,
  bodies: LOG + withBodies("$4"),
  stored: LOG + STORED + DONE,
  storedBodies: LOG + STORED + withBodies("$12"),
  remembered: LOG + STORED + REMEMBERED + DONE,
  rememberedBodies: LOG + STORED + REMEMBERED + withBodies("$13"),
};

/** Appends the entry with everything that belongs to it; undefined if another process was first. Returns the bodies. */
export async function appendTurn(sql: Sql, turn: Turn): Promise<BodyRow[] | undefined> {
  const { rows, positions, entry } = turn;
  const values: unknown[] = [turn.queueId, turn.seq, JSON.stringify(entry)];
  const remembers = rows.some(({ deduplicationId }) => deduplicationId !== undefined);
  if (rows.length > 0) {
    values.push(
      turn.tail,
      entry.at,
      rows.map(({ id }) => id),
      rows.map(({ groupId }) => groupId ?? null),
      rows.map(({ body }) => body),
      rows.map(({ form }) => form),
      rows.map(({ bytes }) => bytes),
      rows.map(({ visibleFrom }) => visibleFrom),
    );
  }
  if (remembers) values.push(rows.map(({ deduplicationId }) => deduplicationId ?? null));
  if (positions.length > 0) values.push(positions);
  const stored = remembers ? "remembered" : "stored";
  const kind =
    rows.length > 0
      ? positions.length > 0
        ? (`${stored}Bodies` as const)
        : stored
      : positions.length > 0
        ? "bodies"
        : "entry";
  const result = await sql.query<StoredRow>({ name: `queue_turn_${kind}`, text: STATEMENTS[kind], values });
  if (result.rows.length === 0) return undefined;
  return result.rows.filter(({ position }) => position !== null).map(bodyOf);
}

interface StoredRow {
  position: number;
  id: string;
  group_id: string | null;
  body: string;
  form: number;
  sent_at: number;
}

const bodyOf = ({ position, id, group_id, body, form, sent_at }: StoredRow): BodyRow => ({
  ...{ position, id, groupId: group_id ?? undefined, body, form, sentAt: sent_at },
});

const BODIES = `SELECT ${BODY} FROM queue_messages m WHERE queue_id = $1 AND position = ANY ($2::bigint[]) ORDER BY position`;

export async function readBodies(sql: Sql, queueId: string, positions: readonly number[]): Promise<BodyRow[]> {
  const { rows } = await sql.query<StoredRow>({ name: "queue_bodies", text: BODIES, values: [queueId, positions] });
  return rows.map(bodyOf);
}

const MOVE = `
  INSERT INTO queue_messages (queue_id, position, id, group_id, body, form, bytes, sent_at, stored_at, visible_from)
  SELECT $2, $3::bigint + p.n - 1, m.id, m.group_id, m.body, m.form, m.bytes, m.sent_at, $4, 0
  FROM unnest($5::bigint[]) WITH ORDINALITY AS p(position, n)
  JOIN queue_messages m ON m.queue_id = $1 AND m.position = p.position`;

/** Copies messages to the tail of another queue, in this order. False if one does not exist. */
export async function copyMessages(
  sql: Sql,
  from: { queueId: string; positions: readonly number[] },
  to: { queueId: string; tail: number; at: number },
): Promise<boolean> {
  const { rowCount } = await sql.query(MOVE, [from.queueId, to.queueId, to.tail, to.at, from.positions]);
  return rowCount === from.positions.length;
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
    ...{ name: "queue_entries", text: ENTRIES, values: [queueId, after, countMax] },
  });
  return rows.map(({ seq, entry }) => ({ seq, entry: JSON.parse(entry) as Entry, bytes: entry.length }));
}

const LAST = `
  SELECT q.id, (SELECT max(seq) FROM queue_log l WHERE l.queue_id = q.id)::float8 AS seq FROM unnest($1::text[]) AS q(id)`;

/** The number of the last entry of each queue. */
export async function readLastSeqs(sql: Sql, queueIds: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql.query<{ id: string; seq: number | null }>({
    ...{ name: "queue_last_seqs", text: LAST, values: [queueIds] },
  });
  return new Map(rows.map(({ id, seq }) => [id, seq ?? 0]));
}

const ROWS = `
  SELECT position::float8 AS position, group_id, visible_from::float8 AS visible_from, stored_at::float8 AS stored_at, bytes
  FROM queue_messages WHERE queue_id = $1 AND position >= $2::bigint AND position < $3::bigint ORDER BY position`;

export async function readRows(sql: Sql, queueId: string, [from, to]: [number, number]): Promise<MessageRow[]> {
  const { rows } = await sql.query<{
    position: number;
    group_id: string | null;
    visible_from: number;
    stored_at: number;
    bytes: number;
  }>({ name: "queue_rows", text: ROWS, values: [queueId, from, to] });
  return rows.map(({ position, group_id, visible_from, stored_at, bytes }) => ({
    ...{ position, groupId: group_id ?? undefined, visibleFrom: visible_from, storedAt: stored_at, bytes },
  }));
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
    ...{ name: "queue_duplicates", text: DUPLICATES, values: [queueId, ids, after] },
  });
  return new Map(rows.map(({ deduplication_id, message_id }) => [deduplication_id, message_id]));
}
