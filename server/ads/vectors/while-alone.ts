import type { Pool, PoolClient } from "pg";

/** The advisory lock of the process that makes vectors ("vect" in ASCII). */
const VECTORS_LOCK = 0x76_65_63_74;

/**
 * Runs `work` unless another process runs it: then it returns undefined. The lock belongs to a connection, so it ends
 * with the process.
 */
export async function whileAlone<T>(sql: Pool, work: () => Promise<T>): Promise<T | undefined> {
  const client = await sql.connect();
  let isBroken = true;
  try {
    const isAlone = await ask(client, "pg_try_advisory_lock");
    try {
      return isAlone ? await work() : undefined;
    } finally {
      isBroken = isAlone && !(await ask(client, "pg_advisory_unlock").catch(() => false));
    }
  } finally {
    // Closing the connection releases the lock.
    client.release(isBroken);
  }
}

async function ask(client: PoolClient, call: string): Promise<boolean> {
  const { rows } = await client.query<{ yes: boolean }>(`SELECT ${call}($1) AS yes`, [VECTORS_LOCK]);
  return rows[0]?.yes === true;
}
