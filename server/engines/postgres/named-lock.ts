import type { ClientBase, Pool, PoolClient } from "pg";
import type { Prisma } from "./generated/client";

// Locks among all processes of a database, by name. A lock is an advisory lock of Postgres under the hash of its name: two
// names with the same hash would wait for each other, which delays and breaks nothing.

/** A frozen database must not delay work that could be done without it. */
const RESPONSE_TIMEOUT_MS = 2000;
const KEY = "hashtextextended($1, 0)";

/** Waits until no other transaction has the lock, and takes it until this one ends. */
export async function lockName(client: Pick<ClientBase, "query">, name: string): Promise<void> {
  await client.query({ name: "lock_name", text: `SELECT pg_advisory_xact_lock(${KEY})`, values: [name] });
}

/** `lockName` for a transaction of Prisma. */
export async function lockNameIn(tx: Prisma.TransactionClient, name: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`;
}

/** Like `lockNameIn`, but together with other transactions that share the lock. */
export async function shareNameIn(tx: Prisma.TransactionClient, name: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock_shared(hashtextextended(${name}, 0))`;
}

/** Takes the lock until the transaction ends, without waiting. Returns false if another one has it. */
export async function tryLockName(client: Pick<ClientBase, "query">, name: string): Promise<boolean> {
  const text = `SELECT pg_try_advisory_xact_lock(${KEY}) AS yes`;
  const { rows } = await client.query<{ yes: boolean }>({ name: "try_lock_name", text, values: [name] });
  return rows[0]?.yes === true;
}

/** `tryLockName` for a transaction of Prisma. */
export async function tryLockNameIn(tx: Prisma.TransactionClient, name: string): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ yes: boolean }[]>`
    SELECT pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) AS yes`;
  return row?.yes === true;
}

/** SQL: nobody has the lock whose name is this SQL expression; takes it until the transaction ends. */
export const takesNameSql = (name: string): string => `pg_try_advisory_xact_lock(hashtextextended(${name}, 0))`;

/** Waits until no other session has the lock alone, and shares it until the end of this connection. */
export async function shareForSession(client: ClientBase, name: string): Promise<void> {
  await client.query(`SELECT pg_advisory_lock_shared(${KEY})`, [name]);
}

/** Waits for the lock, and takes it until `unlock` or the end of this connection. */
export async function lockAlone(client: ClientBase, name: string): Promise<void> {
  await client.query(`SELECT pg_advisory_lock(${KEY})`, [name]);
}

/** Takes the lock until `unlock` or the end of this connection, without waiting. Returns false if another session has it. */
export const tryLockAlone = (client: ClientBase, name: string): Promise<boolean> =>
  ask(client, "pg_try_advisory_lock", name);

export async function unlock(client: ClientBase, name: string): Promise<void> {
  await client.query(`SELECT pg_advisory_unlock(${KEY})`, [name]);
}

/**
 * Runs `work` with the lock, unless another session has it: then it returns undefined and does nothing. The lock belongs
 * to a connection of the pool, so it ends with the process. Throws an error that `isConnectionError` recognizes if
 * Postgres is unavailable.
 */
export const withExclusiveLock = <T>(sql: Pool, name: string, work: () => Promise<T>): Promise<T | undefined> =>
  whileLocked({ sql, name, take: tryLockAlone, release: "pg_advisory_unlock" }, work);

/**
 * Runs `work` with the lock taken as shared, unless another session has it alone or waits for that: then it returns
 * undefined and does nothing. Otherwise like `withExclusiveLock`.
 */
export const whileShared = <T>(sql: Pool, name: string, work: () => Promise<T>): Promise<T | undefined> => {
  const take = (client: ClientBase) => ask(client, "pg_try_advisory_lock_shared", name);
  return whileLocked({ sql, name, take, release: "pg_advisory_unlock_shared" }, work);
};

interface WhileLocked {
  sql: Pool;
  name: string;
  take: (client: PoolClient, name: string) => Promise<boolean>;
  release: string;
}

async function whileLocked<T>(
  { sql, name, take, release }: WhileLocked,
  work: () => Promise<T>,
): Promise<T | undefined> {
  const client = await sql.connect();
  let isBroken = true;
  try {
    const isTaken = await take(client, name);
    try {
      return isTaken ? await work() : undefined;
    } finally {
      isBroken = isTaken && !(await ask(client, release, name).catch(() => false));
    }
  } finally {
    // Closing the connection releases the lock.
    client.release(isBroken);
  }
}

async function ask(client: ClientBase, call: string, name: string): Promise<boolean> {
  const query = { text: `SELECT ${call}(${KEY}) AS yes`, values: [name], query_timeout: RESPONSE_TIMEOUT_MS };
  const { rows } = await client.query<{ yes: boolean }>(query);
  return rows[0]?.yes === true;
}
