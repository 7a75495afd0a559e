import { randomBytes } from "node:crypto";
import { afterAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../../test/factories/postgres";
import { markDatabase } from "../../../engines/tenant-sql/tenant-databases";
import { TenantSql } from "../../../engines/tenant-sql/tenant-sql";
import { ManualClock } from "../../../kernel/clock";
import { listUnknown } from "../../core/quarantine/list-unknown";
import { EdgeDatabases } from "./edge-databases";
import { EDGE_EVERY_MINUTE } from "./start-edge";

const DAY_MS = 24 * 3_600_000;
const PLACE = { tenantId: "ten_1", projectId: "prj_1", mode: "test" } as const;

const clock = new ManualClock(new Date("2026-12-01T00:00:00Z"));
const alarms: unknown[] = [];
const databasesOf = ({ db, sql }: TestDatabase) =>
  new EdgeDatabases({
    db,
    sql,
    clock,
    encryptionKey: randomBytes(32),
    tenantSql: new TenantSql(sql),
    storedBytes: { assertRoom: async () => undefined, count: () => undefined, take: async () => undefined },
    log: { error: (first: unknown) => void alarms.push(first), warn: () => undefined },
  });
const [database, other] = [await testDatabase(), await testDatabase()];
const tenantSql = new TenantSql(database.sql);
const databases = databasesOf(database);
afterAll(async () => {
  const { rows } = await database.sql.query<{ id: string }>("SELECT id FROM edge_sql_databases");
  for (const { id } of rows) await tenantSql.drop(`svc_${id}`, async () => true);
  tenantSql.close();
  for (const one of [database, other]) await one.close();
});

const idOf = async (name: string) =>
  (await database.db.edgeSqlDatabase.findFirstOrThrow({ where: { ...PLACE, name } })).id;
const exists = async (id: string) =>
  ((await database.sql.query("SELECT FROM pg_database WHERE datname = $1", [`svc_${id}`])).rowCount ?? 0) === 1;
const listed = async () => (await listUnknown(database)).map(({ node, what }) => [node, what]);

it("a database that a restored backup does not know is kept for 7 days, reported, and used again when a newer one does", async () => {
  await databases.ensure(PLACE, "kept");
  await databases.ensure(PLACE, "lost");
  const [kept, lost] = [await idOf("kept"), await idOf("lost")];
  await databases.run(PLACE, "kept", [{ sql: "CREATE TABLE notes (text text)", params: [] }]);
  // One of an earlier version has no mark until it was seen with its record.
  await database.sql.query(`COMMENT ON DATABASE svc_${kept} IS NULL`);
  await databases.sweepUnknown();
  expect(await listed()).toEqual([]);
  const backup = await database.db.edgeSqlDatabase.findMany();
  await database.db.edgeSqlDatabase.deleteMany();

  const due = Object.values(EDGE_EVERY_MINUTE).map((work) => `SELECT EXISTS (${work}) AS "isDue"`);
  for (const [{ sql }, isDue] of [[database, true] as const, [other, false] as const])
    expect((await sql.query(due.join(" UNION ALL "))).rows).toEqual([{ isDue }]);
  await databases.sweepUnknown();
  expect(await listed()).toEqual([kept, lost].sort().map((id) => ["postgresql", id]));
  expect(alarms).toEqual([{ alarm: "unknown_databases", node: "postgresql", ids: expect.arrayContaining([lost]) }]);
  clock.advance(6 * DAY_MS);
  await database.db.edgeSqlDatabase.createMany({ data: backup.filter(({ id }) => id === kept) });
  await databases.sweepUnknown();
  expect(await listed()).toEqual([["postgresql", lost]]);
  clock.advance(DAY_MS - 1);
  await databases.sweepUnknown();
  expect([await exists(kept), await exists(lost)]).toEqual([true, true]);
  clock.advance(1);
  await databases.sweepUnknown();
  expect([await exists(kept), await exists(lost)]).toEqual([true, false]);
  const [read] = await databases.run(PLACE, "kept", [{ sql: "SELECT * FROM notes", params: [] }]);
  expect(read?.rows).toEqual([]);
  await databases.sweepUnknown();
  expect(await listed()).toEqual([]);
});

it("databases of another installation on the same server are none of its own", async () => {
  await databases.ensure(PLACE, "of-the-first");
  const id = await idOf("of-the-first");
  await databasesOf(other).sweepUnknown();
  expect(await listUnknown(other)).toEqual([]);
  // Nor are those that have no mark, such as of an installation of an earlier version.
  await database.sql.query(`COMMENT ON DATABASE svc_${id} IS NULL`);
  await databasesOf(other).sweepUnknown();
  expect(await listUnknown(other)).toEqual([]);
  await markDatabase(database.sql, `svc_${id}`);
});
