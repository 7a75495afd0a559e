import type { Pool } from "pg";
import type { SettleCaps } from "../../engines/counters/counters";
import { uuidv7Floor } from "../../kernel/ids";
import type { HeldCaps } from "../offers/offer-record";

const ROWS_PER_PAGE = 1000;
const FIRST_ID = "00000000-0000-0000-0000-000000000000";

interface EventRow {
  id: string;
  user_key: string;
  at: Date;
  windows: HeldCaps["windows"];
  /** Where the page is sorted by. */
  place: Date;
}

const eventsBy = (column: "ends_at" | "noted_at"): { name: string; text: string } => ({
  name: `cap_events_by_${column}`,
  // The column is named in full: a bare `id` in ORDER BY would mean the text that is selected.
  text: `SELECT e.id::text, user_key, at, windows, ${column} AS place FROM cap_events e
         WHERE (e.${column}, e.id) > ($1::timestamptz, $2::uuid) ORDER BY e.${column}, e.id LIMIT ${ROWS_PER_PAGE}`,
});
const BY_END = eventsBy("ends_at");
const BY_NOTE = eventsBy("noted_at");

/** Everything that still counts at `nowMs`, page by page: only one page is in memory. */
export const lastingEvents = (sql: Pool, nowMs: number): AsyncGenerator<SettleCaps[]> => pagesOf(sql, BY_END, nowMs);

/** What was written since, on the clock of Postgres. */
export const eventsNotedSince = (sql: Pool, sinceMs: number): AsyncGenerator<SettleCaps[]> =>
  pagesOf(sql, BY_NOTE, sinceMs);

async function* pagesOf(sql: Pool, query: typeof BY_END, fromMs: number): AsyncGenerator<SettleCaps[]> {
  let last: Pick<EventRow, "id" | "place"> | undefined = { id: FIRST_ID, place: new Date(fromMs) };
  while (last) {
    const { rows }: { rows: EventRow[] } = await sql.query<EventRow>({ ...query, values: [last.place, last.id] });
    if (rows.length > 0) yield rows.map(placeOf);
    last = rows.length < ROWS_PER_PAGE ? undefined : rows.at(-1);
  }
}

const placeOf = ({ id, user_key: user, at, windows }: EventRow): SettleCaps => ({
  ...{ id, user, windows },
  reservedAtMs: at.getTime(),
});

/** The places of offers served since `sinceMs` that nobody has seen yet, page by page. */
export async function* heldPlaces(
  sql: Pool,
  { sinceMs, holdMs }: { sinceMs: number; holdMs: number },
): AsyncGenerator<SettleCaps[]> {
  let last: string | undefined = uuidv7Floor(sinceMs);
  while (last !== undefined) {
    const { rows }: { rows: { id: string; caps: HeldCaps }[] } = await sql.query({
      name: "held_cap_places",
      text: `SELECT o.id::text, caps FROM offers o WHERE o.id > $1::uuid AND caps IS NOT NULL AND seen_at IS NULL
             ORDER BY o.id LIMIT ${ROWS_PER_PAGE}`,
      values: [last],
    });
    if (rows.length > 0) yield rows.map(({ id, caps }) => ({ ...caps, id, holdMs }));
    last = rows.length < ROWS_PER_PAGE ? undefined : rows.at(-1)?.id;
  }
}

/** Milliseconds on the clock that `noted_at` is written by. */
export async function postgresNowMs(sql: Pool): Promise<number> {
  const { rows } = await sql.query<{ now: Date }>("SELECT clock_timestamp() AS now");
  return rows[0]?.now.getTime() ?? 0;
}

/** A page of what a user's caps have counted. */
export async function eventsOfUser(sql: Pool, user: string): Promise<SettleCaps[]> {
  const { rows } = await sql.query<EventRow>(
    `SELECT e.id::text, user_key, at, windows FROM cap_events e WHERE user_key = $1 LIMIT ${ROWS_PER_PAGE}`,
    [user],
  );
  return rows.map(placeOf);
}

export async function deleteEvents(sql: Pool, user: string, ids: readonly string[]): Promise<void> {
  await sql.query("DELETE FROM cap_events WHERE user_key = $1 AND id = ANY ($2::uuid[])", [user, ids]);
}

/** A page of the offers that hold places of a user, seen or not. */
export async function offersHolding(sql: Pool, user: string): Promise<SettleCaps[]> {
  const { rows } = await sql.query<{ id: string; caps: HeldCaps }>(
    `SELECT o.id::text, caps FROM offers o WHERE caps->>'user' = $1 AND caps IS NOT NULL LIMIT ${ROWS_PER_PAGE}`,
    [user],
  );
  return rows.map(({ id, caps }) => ({ ...caps, id }));
}

/** Offers keep counting and billing; whom they were for is forgotten. Locked in id order, as every claim does. */
export async function forgetHolder(sql: Pool, ids: readonly string[]): Promise<void> {
  await sql.query(
    `WITH held AS MATERIALIZED (SELECT id FROM offers WHERE id = ANY ($1::uuid[]) ORDER BY id FOR UPDATE)
     UPDATE offers SET caps = NULL WHERE id = ANY (ARRAY(SELECT id FROM held)) AND id = ANY ($1::uuid[])`,
    [ids],
  );
}

/** Answers whether there may be more. */
export async function forgetUserOfOffers(sql: Pool, user: string): Promise<boolean> {
  const { rowCount } = await sql.query(
    `WITH kept AS MATERIALIZED (
       SELECT id FROM offers WHERE user_key = $1 AND user_key <> '' ORDER BY id LIMIT ${ROWS_PER_PAGE} FOR UPDATE
     ) UPDATE offers SET user_key = '' WHERE id = ANY (ARRAY(SELECT id FROM kept))`,
    [user],
  );
  return rowCount === ROWS_PER_PAGE;
}
