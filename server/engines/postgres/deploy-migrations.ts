import { setTimeout as sleep } from "node:timers/promises";
import { Client, DatabaseError } from "pg";
import { type MigrationScript, readMigrationScripts } from "./migration-files";
import { createRecords, dropRecordsBefore, readApplied, recordApplied } from "./migration-records";
import { tryLockAlone } from "./named-lock";

const LOCK_POLL_MS = 100;
const CONNECT_TIMEOUT_MS = 10_000;
/**
 * How long a migration waits for the lock of a table. It is less than the second after which Postgres looks for
 * deadlocks, so that the migration gives way and not a request, and requests that come after it wait no longer.
 */
const TABLE_LOCK_TIMEOUT_MS = 500;
/** After this time without all its locks a migration has failed. */
const TABLE_LOCKS_MS = 5 * 60_000;
const RETRY_MS = 200;
/** The classes of errors of a migration that gave way: lock_not_available and deadlock_detected. */
const GAVE_WAY = ["55P03", "40P01"];

/**
 * Applies pending migrations in order, and returns their names. A migration and its record commit in one transaction,
 * so that a process that is killed leaves either both or neither, and the next deploy continues from there; a file that
 * is marked as not transactional runs again from its first statement. Several processes may run it at once: they take
 * turns. A running svc may use the tables: a migration gives way to it, and is repeated for up to 5 minutes. If a
 * migration fails, it leaves nothing behind, an error of one sentence is thrown, and the next deploy retries it.
 */
export async function deployMigrations(url: string, rootDir: string): Promise<string[]> {
  const migrations = await readMigrationScripts(rootDir);
  return withMigrateLock(url, async (client) => {
    await createRecords(client);
    const recorded = await readApplied(client);
    const applied: string[] = [];
    for (const migration of migrations) {
      if (recorded.includes(migration.name) || (await adopt(client, migration, recorded))) continue;
      await apply(client, migration);
      applied.push(migration.name);
    }
    return applied;
  });
}

/**
 * Whether the database has the schema of a baseline already, from the migrations that the baseline replaces; their
 * records become one of the baseline. Throws an error of one sentence if the database has only a part of them.
 */
async function adopt(client: Client, migration: MigrationScript, recorded: readonly string[]): Promise<boolean> {
  const { name, replaces } = migration;
  const older = recorded.filter((one) => one < name);
  if (replaces === undefined || older.length === 0) return false;
  if (!older.includes(replaces)) {
    throw new Error(
      `The database was made by a version of svc that this one cannot upgrade: its last migration is ${older.at(-1)}, and ${name} replaces all up to ${replaces}. Start the last version that contains ${replaces} once on this database, or begin with an empty one.`,
    );
  }
  await client.query("BEGIN");
  await dropRecordsBefore(client, name);
  await recordApplied(client, migration);
  await client.query("COMMIT");
  return true;
}

async function apply(client: Client, migration: MigrationScript): Promise<void> {
  try {
    if (migration.statements) for (const statement of migration.statements) await runRepeatable(client, statement);
    const until = Date.now() + TABLE_LOCKS_MS;
    while (!(await commit(client, migration, Date.now() < until))) await sleep(RETRY_MS);
  } catch (cause) {
    if (!(cause instanceof DatabaseError)) throw cause;
    throw new Error(
      `The migration ${migration.name} failed and was rolled back: ${cause.message}. Correct its cause and start again, or run: npm run db -- deploy.`,
      { cause },
    );
  }
}

/** Returns false if others had a lock that the migration needs: then it is rolled back. */
async function commit(client: Client, migration: MigrationScript, mayGiveWay: boolean): Promise<boolean> {
  try {
    await client.query("BEGIN");
    await client.query(`SET LOCAL lock_timeout = ${TABLE_LOCK_TIMEOUT_MS}`);
    if (!migration.statements) await client.query(migration.sql);
    await recordApplied(client, migration);
    await client.query("COMMIT");
    return true;
  } catch (cause) {
    await client.query("ROLLBACK").catch(() => undefined);
    if (mayGiveWay && cause instanceof DatabaseError && GAVE_WAY.includes(cause.code ?? "")) return false;
    throw cause;
  }
}

const CONCURRENT_INDEX = /^CREATE (?:UNIQUE )?INDEX CONCURRENTLY IF NOT EXISTS ("[^"]+"|\w+)/i;

/** An interrupted concurrent build leaves an invalid index: it is dropped, because IF NOT EXISTS would keep it. */
async function runRepeatable(client: Client, statement: string): Promise<void> {
  const index = CONCURRENT_INDEX.exec(statement)?.[1];
  if (index !== undefined) {
    const { rowCount } = await client.query(
      "SELECT FROM pg_index WHERE indexrelid = to_regclass($1) AND NOT indisvalid",
      [index],
    );
    if (rowCount) await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${index}`);
  }
  await client.query(statement);
}

/**
 * The lock belongs to the connection that migrates, so it ends with the process. It is polled: a statement that waits
 * for it would keep a snapshot open, and the concurrent index build of the other process waits for such snapshots.
 */
async function withMigrateLock<T>(url: string, run: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS, keepAlive: true });
  client.on("error", () => undefined);
  await client.connect();
  try {
    // A migration may take any time, whatever the role's own limit is.
    await client.query("SET statement_timeout = 0");
    while (!(await tryLockAlone(client, "migrations"))) await sleep(LOCK_POLL_MS);
    return await run(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
