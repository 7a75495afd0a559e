import { PrismaPg } from "@prisma/adapter-pg";
import pLimit from "p-limit";
import { Pool, TypeOverrides, types } from "pg";
import { PrismaClient } from "./generated/client";

const CONNECT_TIMEOUT_MS = 2000;
const STATEMENT_TIMEOUT_MS = 30_000;
/** A server that is frozen cannot cut its own statements; above its limit, so that a slow one is cut there with its reason. */
const QUERY_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 5000;
const IDLE_TRANSACTION_TIMEOUT_MS = 60_000;
const POOL_MAX = 20;
/** Prisma's own 2 s and 5 s would fail a transaction on a machine that is merely busy. */
const TRANSACTION_LIMITS = { maxWait: 10_000, timeout: STATEMENT_TIMEOUT_MS };

export interface PostgresConnection {
  /** For SQL that Prisma cannot express. A bigint (`count(*)` too) arrives as a BigInt; numeric arrives as text. */
  sql: Pool;
  /** On the same connections. */
  db: PrismaClient;
  close(): Promise<void>;
}

export interface ConnectOptions {
  poolMax?: number | undefined;
  queryTimeoutMs?: number | undefined;
}

/**
 * One pool of connections for Prisma and for raw SQL; at most half of it is in Prisma's transactions, further ones wait
 * their turn in memory. Nothing connects before the first query; one that cannot get a
 * connection within 2 s fails, a statement is cut after 30 s, and one that is not even answered by then after 35 s
 * (`queryTimeoutMs`).
 */
export function connectPostgres(
  url: string,
  { poolMax = POOL_MAX, queryTimeoutMs = QUERY_TIMEOUT_MS }: ConnectOptions = {},
): PostgresConnection {
  const sql = new Pool({
    connectionString: url,
    max: poolMax,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: queryTimeoutMs,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT_MS,
    keepAlive: true,
    application_name: "svc",
    // Prisma's adapter takes every timestamp for UTC, whatever offset the database writes behind it.
    options: "-c TimeZone=UTC",
    types: exactIntegers(),
  });
  // An idle connection that breaks is replaced at the next query, whose own error tells if that fails too.
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
 * A transaction keeps its connection while it waits for a lock: without turns, many changes that wait for each other
 * take every connection, and what has nothing to do with them fails after two seconds.
 */
function inTurns(client: PrismaClient, transactionsMax: number): PrismaClient {
  const turn = pLimit(transactionsMax);
  const begin = client.$transaction.bind(client) as (...args: unknown[]) => Promise<unknown>;
  const inTurn = (...args: unknown[]): Promise<unknown> => turn(() => begin(...args));
  return new Proxy(client, {
    get: (target, name) => (name === "$transaction" ? inTurn : Reflect.get(target, name)),
  });
}

/** Without this a bigint arrives as text; as a number it would lose its last digits beyond 2^53. */
function exactIntegers(): TypeOverrides {
  const overrides = new TypeOverrides();
  overrides.setTypeParser(types.builtins.INT8, (text) => BigInt(text));
  return overrides;
}
