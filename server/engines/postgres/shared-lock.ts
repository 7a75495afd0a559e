import type { ClientBase, Pool, PoolClient } from "pg";

/** A frozen database must not delay work that could be done without it. */
const ANSWER_TIMEOUT_MS = 2000;

/**
 * Runs `work` with an advisory lock taken as shared, unless another session has it exclusively or waits for that: then
 * it returns undefined and does nothing. The lock belongs to a connection, so it ends with the process. Throws an error
 * that `isConnectionError` recognizes if Postgres is unavailable.
 */
export async function whileShared<T>(
  sql: Pool,
  { lock, work }: { lock: number; work: () => Promise<T> },
): Promise<T | undefined> {
  const client = await sql.connect();
  let isBroken = true;
  try {
    if (!(await ask(client, "pg_try_advisory_lock_shared", lock))) {
      isBroken = false;
      return undefined;
    }
    const result = await work();
    isBroken = !(await ask(client, "pg_advisory_unlock_shared", lock).catch(() => false));
    return result;
  } finally {
    // Closing the connection releases the lock.
    client.release(isBroken);
  }
}

async function ask(client: PoolClient, call: string, lock: number): Promise<boolean> {
  const query = { text: `SELECT ${call}($1) AS yes`, values: [lock], query_timeout: ANSWER_TIMEOUT_MS };
  const { rows } = await client.query<{ yes: boolean }>(query);
  return rows[0]?.yes === true;
}

/** Waits until no session has the lock, and takes it until `unlock` or the end of this connection. */
export async function lockAlone(client: ClientBase, lock: number): Promise<void> {
  await client.query("SELECT pg_advisory_lock($1)", [lock]);
}

export async function unlock(client: ClientBase, lock: number): Promise<void> {
  await client.query("SELECT pg_advisory_unlock($1)", [lock]);
}
