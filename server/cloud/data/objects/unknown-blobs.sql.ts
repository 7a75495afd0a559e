import type { Sql } from "./versions.sql";

interface FoundBlobs {
  names: readonly string[];
  /** When the sweep began. */
  now: Date;
  /** Those that have been unknown since before this are due. */
  before: Date;
}

/** Records that nothing needs some blobs. Returns which of them are due, and how many are new. */
export async function recordUnknownBlobs(
  sql: Sql,
  { names, now, before }: FoundBlobs,
): Promise<{ due: string[]; added: number }> {
  const { rows } = await sql.query<{ name: string; isDue: boolean; isNew: boolean }>(
    `INSERT INTO unknown_blobs AS u (name, found_at, seen_at) SELECT name, $2, $2 FROM unnest($1::text[]) name
     ON CONFLICT (name) DO UPDATE SET seen_at = excluded.seen_at
     RETURNING u.name, u.found_at <= $3 AS "isDue", u.found_at = $2 AS "isNew"`,
    [names, now, before],
  );
  const due = rows.flatMap(({ name, isDue }) => (isDue ? [name] : []));
  return { due, added: rows.filter(({ isNew }) => isNew).length };
}

/** Forgets blobs that are removed. */
export async function forgetBlobs(sql: Sql, names: readonly string[]): Promise<void> {
  await sql.query("DELETE FROM unknown_blobs WHERE name = ANY($1::text[])", [names]);
}

/** Forgets blobs that a complete sweep which began at `now` did not find: something needs them again, or they are gone. */
export async function forgetUnseenBlobs(sql: Sql, now: Date): Promise<void> {
  await sql.query("DELETE FROM unknown_blobs WHERE seen_at < $1", [now]);
}
