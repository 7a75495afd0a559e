import { Client, escapeIdentifier, escapeLiteral, type Pool, type PoolClient } from "pg";
import { lockAlone, unlock } from "../postgres/named-lock";
import { databaseStatements, rightsMark, roleStatements } from "./database-privileges";
import { scramVerifier } from "./scram-verifier";

/** A database of its own, and the role of the same name that may use it and nothing else. */
export interface DatabaseLogin {
  /** At most 63 characters of `a-z 0-9 _`, as both have it. */
  name: string;
  password: string;
}

const CONNECT_TIMEOUT_MS = 5000;

/** Creates the role and the database, or completes what an interrupted call has left. Calls for one name take turns. */
export const createTenantDatabase = (server: Pool, { name, password }: DatabaseLogin): Promise<void> =>
  whileLocked(server, name, async (client) => {
    const exists = await isKnown(client, "SELECT 1 FROM pg_roles WHERE rolname = $1", name);
    for (const statement of roleStatements({ name, verifier: await scramVerifier(password), exists }))
      await client.query(statement);
    if (!(await isKnown(client, "SELECT 1 FROM pg_database WHERE datname = $1", name)))
      await client.query(`CREATE DATABASE ${escapeIdentifier(name)} TEMPLATE template0`);
    await markDatabase(client, name);
    await takeRightsLocked(server, name);
  });

/** The comment on the databases of one installation: those of others may be on the same server. */
const MARK = "'SQL database of ' || current_database()";

/** A query for databases of this installation whose names begin with a prefix. */
export const markedDatabases = (prefix: string): string =>
  `SELECT datname AS name FROM pg_database
   WHERE starts_with(datname, ${escapeLiteral(prefix)}) AND shobj_description(oid, 'pg_database') = ${MARK}`;

/** Marks a database as one of this installation. */
export async function markDatabase(client: Pick<Pool, "query">, name: string): Promise<void> {
  const { rows } = await client.query<{ mark: string }>(`SELECT ${MARK} AS mark`);
  await client.query(`COMMENT ON DATABASE ${escapeIdentifier(name)} IS ${escapeLiteral(rows[0]?.mark ?? "")}`);
}

/** Deletes a database with its role, unless `confirm` says otherwise while no call creates it. */
export const dropTenantDatabase = (server: Pool, name: string, confirm: () => Promise<boolean>): Promise<boolean> =>
  whileLocked(server, name, async (client) => {
    if (!(await confirm())) return false;
    await client.query(`DROP DATABASE IF EXISTS ${escapeIdentifier(name)} WITH (FORCE)`);
    await client.query(`DROP ROLE IF EXISTS ${escapeIdentifier(name)}`);
    return true;
  });

/** The address of a database of the server, for the user that svc has or for another one. */
export function urlOfDatabase(server: Pool, database: string, login?: DatabaseLogin): string {
  const url = new URL(server.options.connectionString ?? "");
  url.pathname = `/${database}`;
  if (login) [url.username, url.password] = [login.name, login.password];
  return url.href;
}

/** Leaves the role of a database with the rights that it has by this version, unless it has no others already. */
export async function takeRights(server: Pool, name: string): Promise<void> {
  const sql = "SELECT shobj_description(oid, 'pg_authid') AS mark FROM pg_roles WHERE rolname = $1";
  const { rows } = await server.query<{ mark: string | null }>(sql, [name]);
  if (rows[0]?.mark === rightsMark(name)) return;
  await whileLocked(server, name, () => takeRightsLocked(server, name));
}

async function takeRightsLocked(server: Pool, name: string): Promise<void> {
  const client = new Client({
    connectionString: urlOfDatabase(server, name),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    // Nothing that a tenant has made is found by its name in what runs as a superuser.
    options: "-c search_path=pg_catalog",
  });
  client.on("error", () => undefined);
  await client.connect();
  try {
    for (const statement of databaseStatements(name)) await client.query(statement);
  } finally {
    await client.end();
  }
}

async function isKnown(client: PoolClient, sql: string, name: string): Promise<boolean> {
  return ((await client.query(sql, [name])).rowCount ?? 0) > 0;
}

async function whileLocked<T>(server: Pool, name: string, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await server.connect();
  let isBroken = true;
  try {
    await lockAlone(client, name);
    const result = await work(client);
    await unlock(client, name);
    isBroken = false;
    return result;
  } finally {
    // Its end releases the lock.
    client.release(isBroken);
  }
}
