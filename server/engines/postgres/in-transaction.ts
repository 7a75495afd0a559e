import type { Pool, PoolClient } from "pg";

/** Runs `work` in one transaction (READ COMMITTED) on a client of its own; rolls back and rethrows if it fails. */
export async function inTransaction<T>(sql: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await sql.connect();
  let isBroken = false;
  try {
    await client.query("BEGIN");
    const result = await work(client);
    await client.query("COMMIT");
    return result;
  } catch (failure) {
    await client.query("ROLLBACK").catch(() => {
      isBroken = true;
    });
    throw failure;
  } finally {
    client.release(isBroken);
  }
}
