import type { MessageRow } from "./entry";
import { CHUNK_MESSAGES_MAX, type NewChunk, type Packed, unpackMessages } from "./pack-messages";
import { HEAD_BYTES, type MessageRecord, readRecords } from "./record";
import type { Sql } from "./sql";

/** A stored message whose row is loaded. */
export type Located = Pick<MessageRow, "position" | "chunk" | "start" | "bytes">;

/** Neighbouring records of one chunk. */
interface Slice {
  /** Of the first record. */
  position: number;
  chunk: number;
  start: number;
  length: number;
}

function slicesOf(messages: readonly Located[]): Slice[] {
  const slices: Slice[] = [];
  let last: Slice | undefined;
  for (const { position, chunk, start, bytes } of messages.toSorted((a, b) => a.position - b.position)) {
    const length = HEAD_BYTES + bytes;
    if (last?.chunk === chunk && last.start + last.length === start) last.length += length;
    else {
      last = { position, chunk, start, length };
      slices.push(last);
    }
  }
  return slices;
}

/** The client escapes each item of an array, which takes longer. */
const numbers = (list: readonly number[]): string => `{${list.join(",")}}`;

const placesOf = (slices: readonly Slice[]): string[] => [
  numbers(slices.map(({ chunk }) => chunk)),
  numbers(slices.map(({ start }) => start)),
  numbers(slices.map(({ length }) => length)),
];

/** The values that `selectRecords` needs. */
export function wantedRecords(messages: readonly Located[]): string[] {
  const slices = slicesOf(messages);
  return [numbers(slices.map(({ position }) => position)), ...placesOf(slices)];
}

/**
 * Selects slices; `$1` is the queue, and the values begin at `$n`. The chunk is looked up for each of them, whatever the
 * planner expects of a table whose queues grow and shrink.
 */
export const selectRecords = (n: number): string => `
  SELECT s.position::float8 AS position,
    (SELECT convert_from(substr(c.records, s.start + 1, s.length), 'UTF8')
     FROM queue_chunks c WHERE c.queue_id = $1 AND c.first = s.chunk) AS records
  FROM unnest($${n}::bigint[], $${n + 1}::bigint[], $${n + 2}::int[], $${n + 3}::int[]) AS s(position, chunk, start, length)`;

export interface RecordsRow {
  position: number | null;
  /** Null if the chunk is missing. */
  records: string | null;
}

export type RecordsByPosition = ReadonlyMap<number, MessageRecord>;

export function recordsOf(rows: readonly RecordsRow[]): RecordsByPosition {
  const found = new Map<number, MessageRecord>();
  for (const { position, records } of rows) {
    if (position === null || records === null) continue;
    for (const [i, record] of readRecords(records).entries()) found.set(position + i, record);
  }
  return found;
}

export async function readStored(sql: Sql, queueId: string, messages: readonly Located[]): Promise<RecordsByPosition> {
  const values = [queueId, ...wantedRecords(messages)];
  const { rows } = await sql.query<RecordsRow>({ name: "queue_records", text: selectRecords(2), values });
  return recordsOf(rows);
}

const ROWS = `
  SELECT first::float8 AS first, stored_at::float8 AS stored_at, messages FROM queue_chunks
  WHERE queue_id = $1 AND first > $2::bigint - ${CHUNK_MESSAGES_MAX} AND first + count > $2::bigint AND first < $3::bigint
  ORDER BY first`;

/** The messages at positions from `from` on, up to `to`. */
export async function readRows(sql: Sql, queueId: string, [from, to]: [number, number]): Promise<MessageRow[]> {
  const { rows } = await sql.query<{ first: number; stored_at: number; messages: string }>({
    name: "queue_rows",
    text: ROWS,
    values: [queueId, from, to],
  });
  return rows
    .flatMap(({ first, stored_at, messages }) => unpackMessages({ first, messages }, stored_at))
    .filter(({ position }) => position >= from && position < to);
}

/** The values of new chunks, and where each begins in the sequence of all their records. */
export function valuesOf(chunks: readonly NewChunk[]): unknown[] {
  const starts: number[] = [];
  let end = 0;
  for (const { length } of chunks) {
    starts.push(end);
    end += length;
  }
  return [
    numbers(chunks.map(({ first }) => first)),
    numbers(chunks.map(({ count }) => count)),
    chunks.map(({ messages }) => messages),
    numbers(starts),
    numbers(chunks.map(({ length }) => length)),
  ];
}

const COPY = `
  WITH copied AS MATERIALIZED (
    SELECT string_agg(
      substr((SELECT c.records FROM queue_chunks c WHERE c.queue_id = $1 AND c.first = s.chunk), s.start + 1, s.length),
      ''::bytea ORDER BY s.n) AS records
    FROM unnest($9::bigint[], $10::int[], $11::int[]) WITH ORDINALITY AS s(chunk, start, length, n)
  )
  INSERT INTO queue_chunks (queue_id, first, count, stored_at, messages, records)
  SELECT $2, n.first, n.count, $3::bigint, n.messages, substr(copied.records, n.start + 1, n.length)
  FROM copied, unnest($4::bigint[], $5::int[], $6::text[], $7::int[], $8::int[]) AS n(first, count, messages, start, length)
  RETURNING octet_length(records) AS bytes`;

/** Copies messages, in this order, to another queue, where they are packed so. False if one does not exist. */
export async function copyMessages(
  sql: Sql,
  from: { queueId: string; messages: readonly Located[] },
  to: { queueId: string; at: number; packed: Packed },
): Promise<boolean> {
  const { chunks } = to.packed;
  const values = [from.queueId, to.queueId, to.at, ...valuesOf(chunks), ...placesOf(slicesOf(from.messages))];
  const { rows } = await sql.query<{ bytes: number | null }>(COPY, values);
  return rows.length === chunks.length && chunks.every(({ length }, i) => rows[i]?.bytes === length);
}
