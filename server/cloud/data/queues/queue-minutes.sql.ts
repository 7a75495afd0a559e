import type { Pool } from "pg";
import type { QueueFigures } from "../queue-log/queue-engine";

export const MINUTE_MS = 60_000;

/** What happened in a queue in one minute. */
export interface QueueTally {
  sent: number;
  received: number;
  acknowledged: number;
}

/** A part of what happened in a queue in the minute that begins at `minuteMs`, and what the queue had afterwards. */
export interface QueueMinute extends QueueTally, Pick<QueueFigures, "waiting" | "delayed" | "inFlight"> {
  queueId: string;
  minuteMs: number;
}

/** Adds to what is stored of these minutes; the figures replace the stored ones. Each queue and minute occurs once. */
export async function addQueueMinutes(sql: Pool, minutes: readonly QueueMinute[]): Promise<void> {
  // In the order of the key, so that two processes cannot wait for each other.
  await sql.query({
    name: "add_queue_minutes",
    text: `INSERT INTO queue_minutes AS m
        (queue_id, minute, sent, received, acknowledged, waiting, delayed, in_flight)
      SELECT * FROM unnest($1::text[], $2::timestamptz[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[],
        $7::bigint[], $8::bigint[]) ORDER BY 1, 2
      ON CONFLICT (queue_id, minute) DO UPDATE SET sent = m.sent + excluded.sent,
        received = m.received + excluded.received, acknowledged = m.acknowledged + excluded.acknowledged,
        waiting = excluded.waiting, delayed = excluded.delayed, in_flight = excluded.in_flight`,
    values: [
      minutes.map(({ queueId }) => queueId),
      minutes.map(({ minuteMs }) => new Date(minuteMs)),
      ...(["sent", "received", "acknowledged", "waiting", "delayed", "inFlight"] as const).map((column) =>
        minutes.map((minute) => minute[column]),
      ),
    ],
  });
}

/**
 * Returns the ids of queues that had messages when they were last measured, before the minute that begins at `now`'s:
 * at most `max`, the ones whose last measurement is the oldest first.
 */
export async function queuesToMeasure(sql: Pool, { now, max }: { now: Date; max: number }): Promise<string[]> {
  const { rows } = await sql.query<{ id: string }>(
    `SELECT q.id FROM queues q CROSS JOIN LATERAL (
        SELECT minute, waiting + delayed + in_flight AS messages FROM queue_minutes m
        WHERE m.queue_id = q.id ORDER BY minute DESC LIMIT 1
      ) last
      WHERE q.deleted_at IS NULL AND last.messages > 0 AND last.minute < date_trunc('minute', $1::timestamptz)
      ORDER BY last.minute, q.id LIMIT $2`,
    [now, max],
  );
  return rows.map(({ id }) => id);
}

/** Steps of a history, from `fromMs` up to `toMs`. */
export interface QueueMinutesQuery {
  queueId: string;
  fromMs: number;
  toMs: number;
  stepMs: number;
}

/** One step: what happened in it, the highest figures that were measured in it, and the last ones. */
export interface QueueStep extends QueueTally {
  startMs: number;
  highest: QueueDepth;
  last: QueueDepth;
}

export interface QueueDepth {
  waiting: number;
  delayed: number;
  in_flight: number;
}

const FIGURES = ["waiting", "delayed", "in_flight"] as const;

/** Returns the steps that have rows, in order; and before them the last row ahead of the period, if there is one. */
export async function readQueueSteps(sql: Pool, query: QueueMinutesQuery): Promise<QueueStep[]> {
  const { rows } = await sql.query<Record<string, string | bigint>>(
    `WITH chosen AS (
        SELECT * FROM queue_minutes WHERE queue_id = $1 AND minute >= $2 AND minute < $3
        UNION ALL
        (SELECT * FROM queue_minutes WHERE queue_id = $1 AND minute < $2 ORDER BY minute DESC LIMIT 1)
      )
      SELECT floor(extract(epoch FROM minute) * 1000 / $4::bigint) * $4::bigint AS start,
        sum(sent) AS sent, sum(received) AS received, sum(acknowledged) AS acknowledged,
        ${FIGURES.map((name) => `max(${name}) AS ${name}`)},
        ${FIGURES.map((name) => `(array_agg(${name} ORDER BY minute DESC))[1] AS last_${name}`)}
      FROM chosen GROUP BY 1 ORDER BY 1`,
    [query.queueId, new Date(query.fromMs), new Date(query.toMs), query.stepMs],
  );
  return rows.map((row) => ({
    startMs: Number(row.start),
    sent: Number(row.sent),
    received: Number(row.received),
    acknowledged: Number(row.acknowledged),
    highest: depthOf(row, ""),
    last: depthOf(row, "last_"),
  }));
}

const depthOf = (row: Record<string, string | bigint>, prefix: string): QueueDepth => ({
  waiting: Number(row[`${prefix}waiting`]),
  delayed: Number(row[`${prefix}delayed`]),
  in_flight: Number(row[`${prefix}in_flight`]),
});

const DELETED_ROWS = 5000;

/** Deletes older rows, in statements of 5,000. */
export async function deleteQueueMinutesBefore(sql: Pool, before: Date): Promise<void> {
  const deleteSome = () =>
    sql.query(
      `DELETE FROM queue_minutes WHERE (queue_id, minute) IN (
        SELECT queue_id, minute FROM queue_minutes WHERE minute < $1 ORDER BY minute LIMIT ${DELETED_ROWS})`,
      [before],
    );
  while ((await deleteSome()).rowCount === DELETED_ROWS);
}
