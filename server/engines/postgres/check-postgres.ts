import type { Pool } from "pg";

const VERSION_MIN = 15;

/**
 * Resolves when the database responds and is PostgreSQL 15 or newer; otherwise rejects with one sentence that contains
 * the fix.
 */
export async function checkPostgres(sql: Pool): Promise<void> {
  const version = await readVersion(sql);
  if (Math.floor(version / 10_000) >= VERSION_MIN) return;
  throw new Error(
    `The database is PostgreSQL ${Math.floor(version / 10_000)}, and svc needs ${VERSION_MIN} or newer: upgrade it, or unset DATABASE_URL to use the embedded one.`,
  );
}

async function readVersion(sql: Pool): Promise<number> {
  try {
    const { rows } = await sql.query<{ version: number }>(
      "SELECT current_setting('server_version_num')::int AS version",
    );
    return rows[0]?.version ?? 0;
  } catch (cause) {
    const reason = cause instanceof Error ? reasonOf(cause) : String(cause);
    throw new Error(
      `The database of DATABASE_URL does not respond (${reason}): check the address and the user, and that it is running.`,
      {
        cause,
      },
    );
  }
}

/** A host with several addresses fails with an empty message and one error per address. */
const reasonOf = (error: Error): string =>
  error.message || (error instanceof AggregateError ? error.errors.map(String).join("; ") : error.name);
