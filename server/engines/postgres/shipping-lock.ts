import type { ClientBase, Pool, PoolClient } from "pg";

/**
 * Processes that send events to ClickHouse take this advisory lock as shared, a backup takes it exclusively ("svcs" in
 * ASCII).
 */
const SHIPPING_LOCK = 0x73_76_63_73;
/** A frozen database must not delay events that could reach ClickHouse without it. */
const ANSWER_TIMEOUT_MS = 2000;

/**
 * Runs `ship` unless a backup has the lock or waits for it: then it returns undefined and does nothing. The lock
 * belongs to a connection, so it ends with the process. Throws an error that `isConnectionError` recognizes if Postgres
 * is unavailable.
 */
export async function whileShipping<T>(sql: Pool, ship: () => Promise<T>): Promise<T | undefined> {
  const client = await sql.connect();
  let isBroken = true;
  try {
    if (!(await ask(client, "pg_try_advisory_lock_shared"))) {
      isBroken = false;
      return undefined;
    }
    const shipped = await ship();
    isBroken = !(await ask(client, "pg_advisory_unlock_shared").catch(() => false));
    return shipped;
  } finally {
    // Closing the connection releases the lock.
    client.release(isBroken);
  }
}

async function ask(client: PoolClient, call: string): Promise<boolean> {
  const query = { text: `SELECT ${call}($1) AS yes`, values: [SHIPPING_LOCK], query_timeout: ANSWER_TIMEOUT_MS };
  const { rows } = await client.query<{ yes: boolean }>(query);
  return rows[0]?.yes === true;
}

/** Waits until no process ships, and blocks shipping until `resumeShipping` or the end of this connection. */
export async function stopShipping(client: ClientBase): Promise<void> {
  await client.query("SELECT pg_advisory_lock($1)", [SHIPPING_LOCK]);
}

export async function resumeShipping(client: ClientBase): Promise<void> {
  await client.query("SELECT pg_advisory_unlock($1)", [SHIPPING_LOCK]);
}
