import type { Pool } from "pg";
import type { ConfirmCaps } from "../../engines/counters/counters";
import { uuidv7Floor } from "../../kernel/ids";
import type { ReservedCaps } from "../offer-records/offer-record";

const ROWS_PER_PAGE = 1000;
const FIRST_ID = "00000000-0000-0000-0000-000000000000";

interface EventRow {
  id: string;
  user_key: string;
  at: Date;
  windows: ReservedCaps["windows"];
  /** The sort key of the page. */
  place: Date;
}

const eventsBy = (column: "ends_at" | "noted_at"): { name: string; text: string } => ({
  name: `cap_events_by_${column}`,
  // The column is qualified: in ORDER BY, a bare `id` would refer to the text in the select list.
  text: `SELECT e.id::text, user_key, at, windows, ${column} AS place FROM cap_events e
         WHERE (e.${column}, e.id) > ($1::timestamptz, $2::uuid) ORDER BY e.${column}, e.id LIMIT ${ROWS_PER_PAGE}`,
});
const BY_END = eventsBy("ends_at");
const BY_NOTE = eventsBy("noted_at");

/** Everything that still counts at `nowMs`, page by page, so that only one page is in memory. */
export const lastingEvents = (sql: Pool, nowMs: number): AsyncGenerator<ConfirmCaps[]> => pagesOf(sql, BY_END, nowMs);

/** Events that were written since then, on the clock of Postgres. */
export const eventsNotedSince = (sql: Pool, sinceMs: number): AsyncGenerator<ConfirmCaps[]> =>
  pagesOf(sql, BY_NOTE, sinceMs);

async function* pagesOf(sql: Pool, query: typeof BY_END, fromMs: number): AsyncGenerator<ConfirmCaps[]> {
  let last: Pick<EventRow, "id" | "place"> | undefined = { id: FIRST_ID, place: new Date(fromMs) };
  while (last) {
    const { rows }: { rows: EventRow[] } = await sql.query<EventRow>({ ...query, values: [last.place, last.id] });
    if (rows.length > 0) yield rows.map(placeOf);
    last = rows.length < ROWS_PER_PAGE ? undefined : rows.at(-1);
  }
}

const placeOf = ({ id, user_key: user, at, windows }: EventRow): ConfirmCaps => ({
  id,
  user,
  windows,
  reservedAtMs: at.getTime(),
});

/** Reservations of offers served since `sinceMs` that have not been seen, page by page. */
export async function* heldPlaces(
  sql: Pool,
  { sinceMs, holdMs }: { sinceMs: number; holdMs: number },
): AsyncGenerator<ConfirmCaps[]> {
  let last: string | undefined = uuidv7Floor(sinceMs);
  while (last !== undefined) {
    const { rows }: { rows: { id: string; caps: ReservedCaps }[] } = await sql.query({
      name: "held_cap_places",
      text: `SELECT o.id::text, caps FROM offers o WHERE o.id > $1::uuid AND caps IS NOT NULL AND seen_at IS NULL
             ORDER BY o.id LIMIT ${ROWS_PER_PAGE}`,
      values: [last],
    });
    if (rows.length > 0) yield rows.map(({ id, caps }) => ({ ...caps, id, holdMs }));
    last = rows.length < ROWS_PER_PAGE ? undefined : rows.at(-1)?.id;
  }
}

/** The current time in milliseconds, on the clock that sets `noted_at`. */
export async function postgresNowMs(sql: Pool): Promise<number> {
  const { rows } = await sql.query<{ now: Date }>("SELECT clock_timestamp() AS now");
  return rows[0]?.now.getTime() ?? 0;
}

/** A page of a user's cap events. */
export async function eventsOfUser(sql: Pool, user: string): Promise<ConfirmCaps[]> {
  const { rows } = await sql.query<EventRow>(
    `SELECT e.id::text, user_key, at, windows FROM cap_events e WHERE user_key = $1 LIMIT ${ROWS_PER_PAGE}`,
    [user],
  );
  return rows.map(placeOf);
}

export async function deleteEvents(sql: Pool, user: string, ids: readonly string[]): Promise<void> {
  await sql.query("DELETE FROM cap_events WHERE user_key = $1 AND id = ANY ($2::uuid[])", [user, ids]);
}

/** A page of offers with reservations for a user, seen or not. */
export async function offersHolding(sql: Pool, user: string): Promise<ConfirmCaps[]> {
  const { rows } = await sql.query<{ id: string; caps: ReservedCaps }>(
    `SELECT o.id::text, caps FROM offers o WHERE caps->>'user' = $1 AND caps IS NOT NULL LIMIT ${ROWS_PER_PAGE}`,
    [user],
  );
  return rows.map(({ id, caps }) => ({ ...caps, id }));
}

/** The offers still count and are billed, but lose their user. Rows are locked in id order, as in every claim. */
export async function forgetHolder(sql: Pool, ids: readonly string[]): Promise<void> {
  await sql.query(
    `WITH held AS MATERIALIZED (SELECT id FROM offers WHERE id = ANY ($1::uuid[]) ORDER BY id FOR UPDATE)
     UPDATE offers SET caps = NULL WHERE id = ANY (ARRAY(SELECT id FROM held)) AND id = ANY ($1::uuid[])`,
    [ids],
  );
}

/** Returns whether there may be more. */
export async function forgetUserOfOffers(sql: Pool, user: string): Promise<boolean> {
  const { rowCount } = await sql.query(
    `WITH kept AS MATERIALIZED (
       SELECT id FROM offers WHERE user_key = $1 AND user_key <> '' ORDER BY id LIMIT ${ROWS_PER_PAGE} FOR UPDATE
     ) UPDATE offers SET user_key = '' WHERE id = ANY (ARRAY(SELECT id FROM kept))`,
    [user],
  );
  return rowCount === ROWS_PER_PAGE;
}
