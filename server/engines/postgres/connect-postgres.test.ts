import net from "node:net";
import { Client } from "pg";
import { afterEach, expect, test, vi } from "vitest";
import { openForFile } from "../../../test/factories/open-for-file";
import { testDatabase } from "../../../test/factories/postgres";
import { checkPostgres } from "./check-postgres";
import { claimSingleProcess, type SingleProcess } from "./claim-single-process";
import { connectPostgres, type PostgresConnection } from "./connect-postgres";
import { isConnectionError } from "./connection-error";

const SOON = { timeout: 30_000 };

const open: (PostgresConnection | SingleProcess)[] = [];
const database = await openForFile(testDatabase());
afterEach(async () => {
  for (const one of open.splice(0)) await ("release" in one ? one.release() : one.close());
});

const connect = (url: string): PostgresConnection => {
  const connection = connectPostgres(url, { poolMax: 2 });
  open.push(connection);
  return connection;
};
const claim = async (onLost?: () => void): Promise<SingleProcess | undefined> => {
  const single = await claimSingleProcess(database.url, { onLost });
  if (single) open.push(single);
  return single;
};

test("Prisma and raw SQL see the same rows, and a bigint keeps its last digit", async () => {
  const micros = 9_007_199_254_740_993n;
  await database.db.tenant.create({ data: { id: "tnt_1", name: "One", createdAt: new Date() } });
  await database.db.advertiser.create({
    data: { id: "adv_1", tenantId: "tnt_1", name: "A", createdAt: new Date(), updatedAt: new Date() },
  });
  const dates = { createdAt: new Date(), updatedAt: new Date() };
  await database.db.campaign.create({
    data: {
      id: "cmp_1",
      tenantId: "tnt_1",
      advertiserId: "adv_1",
      mode: "live",
      name: "C",
      model: "cpc",
      bidMicros: micros,
      ...dates,
    },
  });
  const { rows } = await database.sql.query("SELECT bid_micros FROM campaigns");
  expect(rows).toEqual([{ bid_micros: micros }]);
  expect((await database.db.campaign.findUniqueOrThrow({ where: { id: "cmp_1" } })).bidMicros).toBe(micros);
});

test("transactions that wait for a lock leave connections for other queries, and all of them complete", async () => {
  const { db, sql } = connectPostgres(database.url, { poolMax: 4 });
  const holder = new Client({ connectionString: database.url });
  await holder.connect();
  await holder.query("BEGIN; SELECT pg_advisory_xact_lock(1)");
  const waiting = Array.from({ length: 30 }, () =>
    db.$transaction((tx) => tx.$queryRaw`SELECT pg_advisory_xact_lock(1)::text, 1 AS done`),
  );
  expect((await sql.query("SELECT 1 AS answered")).rows).toEqual([{ answered: 1 }]);
  await holder.end();
  expect(await Promise.all(waiting)).toHaveLength(30);
  await db.$disconnect();
  await sql.end();
});

test("every insert and update of a catalog row has the id of its transaction", async () => {
  const moment = new Date();
  await database.db.tenant.create({ data: { id: "tnt_2", name: "Two", createdAt: moment } });
  await database.db.channel.create({
    data: { id: "chn_2", tenantId: "tnt_2", mode: "live", name: "x", createdAt: moment, updatedAt: moment },
  });
  const read = async () =>
    (await database.sql.query<{ xid: string }>("SELECT change_xid::text AS xid FROM channels WHERE id = 'chn_2'"))
      .rows[0]?.xid;
  const before = await read();
  await database.db.channel.update({ where: { id: "chn_2" }, data: { name: "y" } });
  expect(BigInt((await read()) ?? 0)).toBeGreaterThan(BigInt(before ?? 0));
});

test("a timestamp is preserved by a database in a time zone far from UTC", async () => {
  const name = new URL(database.url).pathname.slice(1);
  await database.sql.query(`ALTER DATABASE ${name} SET timezone = 'Asia/Kolkata'`);
  const { db } = connect(database.url);
  const moment = new Date("2031-05-06T07:08:09.010Z");
  await db.tenant.create({ data: { id: "tnt_3", name: "Three", createdAt: moment } });
  expect((await db.tenant.findUniqueOrThrow({ where: { id: "tnt_3" } })).createdAt).toEqual(moment);
});

test("a query fails if the database accepts connections but does not respond", async () => {
  const silent = net.createServer();
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const address = silent.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const { sql } = connect(`postgresql://postgres@127.0.0.1:${port}/none`);
  await expect(sql.query("SELECT 1")).rejects.toThrow(/timeout/);
  silent.close();
});

test("a query fails if the database freezes, and the next one gets a new connection", async () => {
  const url = new URL(database.url);
  const { hostname, port } = url;
  let isFrozen = false;
  const between = net.createServer((near) => {
    const far = net.connect(Number(port), hostname);
    near.on("data", (bytes) => isFrozen || far.write(bytes)).on("close", () => far.destroy());
    far.on("data", (bytes) => near.write(bytes)).on("error", () => near.destroy());
  });
  await new Promise<void>((resolve) => between.listen(0, "127.0.0.1", resolve));
  url.port = String((between.address() as net.AddressInfo).port);
  const connection = connectPostgres(url.href, { queryTimeoutMs: 2000 });
  open.push(connection);
  await connection.sql.query("SELECT 1");
  await connection.db.tenant.count();
  isFrozen = true;
  for (const asked of [connection.sql.query("SELECT 1"), connection.db.tenant.count()]) {
    const failure = await asked.then(
      () => undefined,
      (cause: unknown) => cause,
    );
    expect(isConnectionError(failure)).toBe(true);
  }
  isFrozen = false;
  await vi.waitFor(async () => expect((await connection.sql.query("SELECT 1 AS ok")).rows).toEqual([{ ok: 1 }]), SOON);
  expect(await connection.db.tenant.count()).toBeGreaterThanOrEqual(0);
  between.close();
});

test("connections that the server closes are replaced without an unhandled error", async () => {
  const { sql } = connect(database.url);
  await sql.query("SELECT 1");
  await database.sql.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
  );
  await vi.waitFor(async () => expect((await sql.query("SELECT 1 AS ok")).rows).toEqual([{ ok: 1 }]), SOON);
});

test("an unavailable database is reported in one sentence", async () => {
  await checkPostgres(database.sql);
  const { sql } = connect("postgresql://postgres@127.0.0.1:1/none");
  await expect(checkPostgres(sql)).rejects.toThrow(/DATABASE_URL does not respond \(.*ECONNREFUSED.*\): check/);
});

test("only one process at a time has the claim", async () => {
  const first = await claim();
  expect(first).toBeDefined();
  expect(await claim()).toBeUndefined();
  await first?.release();
  expect(await claim()).toBeDefined();
});

test("a claim whose connection was cut is taken again", async () => {
  await claim();
  const [first] = await cutClaims();
  await vi.waitFor(async () => {
    const holders = await holderPids(true);
    expect(holders).toHaveLength(1);
    expect(holders).not.toContain(first);
  }, SOON);
  expect(await claim()).toBeUndefined();
});

test("a process is notified that another one took its claim while it was disconnected", async () => {
  const onLost = vi.fn();
  await claim(onLost);
  const rival = new Client({ connectionString: database.url });
  await rival.connect();
  // Queued after the claim, so it gets the lock as soon as the claim's connection ends.
  const taken = rival.query("SELECT pg_advisory_lock(hashtextextended($1, 0))", ["single-process"]);
  await vi.waitFor(async () => expect(await holderPids(false)).toHaveLength(1), SOON);
  await cutClaims();
  await taken;
  await vi.waitFor(() => expect(onLost).toHaveBeenCalledOnce(), SOON);
  await rival.end();
});

const HELD = `FROM pg_locks JOIN pg_database d ON d.oid = database
  WHERE locktype = 'advisory' AND (classid::bigint << 32) | objid::bigint = hashtextextended($1, 0) AND d.datname = current_database() AND granted = $2`;

async function holderPids(granted: boolean): Promise<number[]> {
  const { rows } = await database.sql.query<{ pid: number }>(`SELECT pid ${HELD}`, ["single-process", granted]);
  return rows.map(({ pid }) => pid);
}

async function cutClaims(): Promise<number[]> {
  const { rows } = await database.sql.query<{ pid: number }>(`SELECT pid, pg_terminate_backend(pid) ${HELD}`, [
    "single-process",
    true,
  ]);
  return rows.map(({ pid }) => pid);
}
