import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { inject } from "vitest";
import { connectPostgres, type PostgresConnection } from "../../server/engines/postgres/connect-postgres";
import { release } from "./release";

/** A thousand calls at once on a busy machine wait longer for one of a few connections than production allows. */
const CONNECT_TIMEOUT_MS = 30_000;

export interface TestDatabase extends PostgresConnection {
  url: string;
}

/** Copies files: by default Postgres writes every page of a template to its log too, which takes twice the CPU time. */
const COPY = "STRATEGY file_copy";

/** A migrated, empty database of its own for one test file; `close()` drops it. */
export async function testDatabase(): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await onServer(`CREATE DATABASE ${name} TEMPLATE template_svc ${COPY}`);
  const url = urlOf(name);
  const connection = connectPostgres(url, { poolMax: 8, connectTimeoutMs: CONNECT_TIMEOUT_MS });
  const close = async () => {
    await connection.close();
    await onServer(`DROP DATABASE ${name} WITH (FORCE)`);
    release(connection, database);
  };
  const database = { ...connection, url, close };
  return database;
}

/** A database without any table, for tests of migrations, or a copy of the unused database of a URL. */
export async function emptyDatabase(copyOf?: string): Promise<{ url: string; close(): Promise<void> }> {
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  const template = copyOf === undefined ? "template1" : new URL(copyOf).pathname.slice(1);
  await onServer(`CREATE DATABASE ${name} TEMPLATE ${template} ${COPY}`);
  return { url: urlOf(name), close: () => onServer(`DROP DATABASE ${name} WITH (FORCE)`) };
}

function urlOf(name: string): string {
  const url = new URL(inject("postgresUrl"));
  url.pathname = `/${name}`;
  return url.href;
}

async function onServer(statement: string): Promise<void> {
  const client = new Client({ connectionString: inject("postgresUrl") });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
