import { PrismaPg } from "@prisma/adapter-pg";
import pLimit from "p-limit";
import { type Pool, TypeOverrides, types } from "pg";
import { PrismaClient } from "./generated/client";
import { WatchedPool } from "./watched-pool";

const CONNECT_TIMEOUT_MS = 2000;
const STATEMENT_TIMEOUT_MS = 30_000;
/**
 * The last resort when one connection of a running server does not respond. It is above the server's own limit, so that
 * the server cancels a slow statement itself and reports the reason.
 */
const QUERY_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 5000;
const IDLE_TRANSACTION_TIMEOUT_MS = 60_000;
const POOL_MAX = 20;
/** Prisma's own limits of 2 s and 5 s would fail a transaction on a busy machine. */
const TRANSACTION_LIMITS = { maxWait: 10_000, timeout: STATEMENT_TIMEOUT_MS };

export interface PostgresConnection {
  /** For SQL that Prisma cannot express. A bigint (also `count(*)`) is returned as a BigInt, numeric as text. */
  sql: Pool;
  /** Uses the same connections. */
  db: PrismaClient;
  close(): Promise<void>;
}

export interface ConnectOptions {
  poolMax?: number | undefined;
  /** How long a query waits for a connection (default 2000). */
  connectTimeoutMs?: number | undefined;
  queryTimeoutMs?: number | undefined;
}

/**
 * One pool of connections for Prisma and for raw SQL. At most half of it is used by Prisma's transactions; further ones
 * wait in memory. Nothing connects before the first query. A query fails if it gets no connection within 2 s (`connectTimeoutMs`), a
 * statement is cancelled after 30 s, and one without a response fails after 35 s (`queryTimeoutMs`). If the server
 * freezes, everything fails within about 4 s, and at once from then on.
 */
export function connectPostgres(
  url: string,
  { poolMax = POOL_MAX, connectTimeoutMs = CONNECT_TIMEOUT_MS, queryTimeoutMs = QUERY_TIMEOUT_MS }: ConnectOptions = {},
): PostgresConnection {
  const sql = new WatchedPool({
    connectionString: url,
    max: poolMax,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: queryTimeoutMs,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT_MS,
    keepAlive: true,
    application_name: "svc",
    // Prisma's adapter reads every timestamp as UTC and ignores the offset that the database appends.
    options: "-c TimeZone=UTC",
    types: exactIntegers(),
  });
  // An idle connection that breaks is replaced at the next query, which fails with its own error if that is impossible.
  sql.on("error", () => undefined);
  // A connection that breaks between two queries of a transaction fails the next one; it must not end the process.
  sql.on("connect", (client) => client.on("error", () => undefined));
  const client = new PrismaClient({ adapter: new PrismaPg(sql), transactionOptions: TRANSACTION_LIMITS });
  const db = inTurns(client, Math.ceil(poolMax / 2));
  const close = async () => {
    await db.$disconnect();
    await sql.end();
  };
  return { sql, db, close };
}

/**
 * A transaction keeps its connection while it waits for a lock. Without this queue, many changes that wait for each
 * other would take every connection, and unrelated queries would fail after two seconds.
 */
function inTurns(client: PrismaClient, transactionsMax: number): PrismaClient {
  const turn = pLimit(transactionsMax);
  const begin = client.$transaction.bind(client) as (...args: unknown[]) => Promise<unknown>;
  const inTurn = (...args: unknown[]): Promise<unknown> => turn(() => begin(...args));
  return new Proxy(client, {
    get: (target, name) => (name === "$transaction" ? inTurn : Reflect.get(target, name)),
  });
}

/** By default a bigint is returned as text; as a number it would lose its last digits beyond 2^53. */
function exactIntegers(): TypeOverrides {
  const overrides = new TypeOverrides();
  overrides.setTypeParser(types.builtins.INT8, (text) => BigInt(text));
  return overrides;
}
