import net, { type Socket } from "node:net";
import { Pool } from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { openForFile } from "../../../test/factories/open-for-file";
import { testDatabase } from "../../../test/factories/postgres";
import { PostgresAlarms } from "./postgres-alarms";

const database = await openForFile(testDatabase());
await database.sql.query(`
    CREATE TABLE parcels (id int PRIMARY KEY, due_at timestamptz);
    CREATE TRIGGER parcels_wake AFTER INSERT OR UPDATE ON parcels FOR EACH ROW
      WHEN (NEW.due_at IS NOT NULL) EXECUTE FUNCTION wake_rounds('parcels', 'stamps')`);

async function listening(sql = database.sql) {
  const source = new PostgresAlarms(sql);
  const woken: string[] = [];
  const onConnect = vi.fn();
  source.listen({ onWake: (topic) => woken.push(topic), onConnect });
  onTestFinished(() => source.stop());
  await vi.waitUntil(() => onConnect.mock.calls.length === 1, { timeout: 60_000 });
  return { source, woken, onConnect };
}

test("a transaction wakes the topics of its changes once, when it commits", async () => {
  const { source, woken } = await listening();
  const client = await database.sql.connect();
  try {
    await client.query("BEGIN");
    await client.query("INSERT INTO parcels VALUES (1, now()), (2, now()), (3, NULL)");
    await source.flush();
    expect(woken).toEqual([]);
    await client.query("COMMIT");
  } finally {
    client.release();
  }
  await source.flush();
  expect(woken).toEqual(["parcels", "stamps"]);
});

test("a change that is rolled back, or that changes nothing of interest, wakes nothing", async () => {
  const { source, woken } = await listening();
  const client = await database.sql.connect();
  try {
    await client.query("BEGIN");
    await client.query("INSERT INTO parcels VALUES (4, now())");
    await client.query("ROLLBACK");
  } finally {
    client.release();
  }
  await database.sql.query("INSERT INTO parcels VALUES (5, NULL)");
  await source.flush();
  expect(woken).toEqual([]);
});

test("one query reads the due times of many topics; a topic without one is absent", async () => {
  const { source } = await listening();
  const due = await source.readDue(
    new Map([
      ["a", "SELECT '2026-11-28T12:00:00.250Z'::timestamptz"],
      ["b", "SELECT min(due_at) FROM parcels WHERE id = -1"],
    ]),
  );
  expect([...due]).toEqual([["a", Date.parse("2026-11-28T12:00:00.250Z")]]);
});

test("reading due times gives way to a migration that has locked a table", async () => {
  const { source } = await listening();
  const migration = await database.sql.connect();
  try {
    await migration.query("BEGIN; LOCK TABLE parcels IN ACCESS EXCLUSIVE MODE");
    const reading = source.readDue(new Map([["a", "SELECT min(due_at) FROM parcels"]]));
    await expect(reading).rejects.toMatchObject({ code: "55P03" });
  } finally {
    await migration.query("ROLLBACK");
    migration.release();
  }
});

test("a connection that breaks is replaced, and everything is looked at then", async () => {
  const { source, woken, onConnect } = await listening();
  await database.sql.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query ~ 'LISTEN svc_rounds$'",
  );
  await vi.waitUntil(() => onConnect.mock.calls.length === 2, { timeout: 60_000 });
  await database.sql.query("INSERT INTO parcels VALUES (6, now())");
  await source.flush();
  expect(woken).toEqual(["parcels", "stamps"]);
});

test("a connection that does not answer is replaced when due times are read, also those of no topic", async () => {
  const { port, freeze } = await freezableProxy(new URL(database.url));
  const url = new URL(database.url);
  url.port = String(port);
  const sql = new Pool({ connectionString: url.href });
  const { source, woken, onConnect } = await listening(sql);
  expect(await source.readDue(new Map())).toEqual(new Map());
  freeze();
  await database.sql.query("INSERT INTO parcels VALUES (7, now())");
  await expect(source.readDue(new Map())).rejects.toThrow("timeout");
  await vi.waitUntil(() => onConnect.mock.calls.length === 2, { timeout: 60_000 });
  expect(await source.readDue(new Map())).toEqual(new Map());
  expect(woken).toEqual([]);
  await source.stop();
  await sql.end();
});

test("it stops although the server does not respond", async () => {
  const { port, freeze } = await freezableProxy(new URL(database.url));
  const url = new URL(database.url);
  url.port = String(port);
  const sql = new Pool({ connectionString: url.href });
  const { source } = await listening(sql);
  freeze();
  await source.stop();
  await sql.end();
});

/** Passes connections on until it is frozen: then it reads and writes nothing, but keeps them open. */
async function freezableProxy(target: URL) {
  const sockets: Socket[] = [];
  const server = net.createServer((near) => {
    const far = net.connect(Number(target.port), target.hostname);
    near.pipe(far).pipe(near);
    for (const socket of [near, far]) sockets.push(socket.on("error", () => undefined));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const freeze = () => {
    for (const socket of sockets) socket.unpipe().pause();
  };
  return { port: (server.address() as net.AddressInfo).port, freeze };
}
