import { readdirSync } from "node:fs";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type TestClickHouse, testClickHouse } from "../../../test/factories/clickhouse";
import { migrateClickHouse } from "./migrate-clickhouse";

const shipped = path.resolve(import.meta.dirname, "../../../clickhouse");
const COUNT = readdirSync(shipped).length;
const numbered = (number: number, name: string) => `${String(number).padStart(4, "0")}_${name}`;
const NEXT = COUNT + 1;
const retention = { rawDays: 400, rollupDays: 1825 };

let clickhouse: TestClickHouse;
let dir: string;

beforeEach(async () => {
  clickhouse = await testClickHouse();
  dir = await mkdtemp(path.join(tmpdir(), "migrations-"));
  await cp(shipped, dir, { recursive: true });
});

afterEach(async () => {
  await clickhouse.close();
  await rm(dir, { recursive: true });
});

async function ask<T>(query: string): Promise<T[]> {
  return (await clickhouse.client.query({ query, format: "JSONEachRow" })).json<T>();
}

const applied = () => ask<{ name: string; applied_at: string }>("SELECT * FROM schema_migrations ORDER BY name");
const migrate = (change: Partial<typeof retention> = {}) =>
  migrateClickHouse(clickhouse.client, { dir, retention: { ...retention, ...change } });
const add = (name: string, sql: string) => writeFile(path.join(dir, name), sql);

test("applies each file once, and a new file at the next start", async () => {
  const before = await applied();
  await migrate();
  expect(await applied()).toEqual(before);
  await add(
    numbered(NEXT, "more.sql"),
    "CREATE TABLE IF NOT EXISTS more (a String DEFAULT ';') ENGINE = MergeTree ORDER BY a;",
  );
  await migrate();
  expect((await applied()).map(({ name }) => name)).toEqual([
    ...before.map(({ name }) => name),
    numbered(NEXT, "more.sql"),
  ]);
  expect(await ask("EXISTS TABLE more")).toEqual([{ result: 1 }]);
});

test("eight processes that start at once bring an empty database to the same schema", async () => {
  const tables = "SELECT name FROM system.tables WHERE database = currentDatabase() ORDER BY name";
  const wanted = await ask<{ name: string }>(tables);
  for (const { name } of wanted) await clickhouse.client.command({ query: `DROP TABLE ${name} SYNC` });
  await Promise.all(Array.from({ length: 8 }, () => migrate()));
  expect(await ask(tables)).toEqual(wanted);
  expect(await ask("SELECT name FROM schema_migrations FINAL ORDER BY name")).toHaveLength(COUNT);
});

test("the next start completes an interrupted file", async () => {
  await add(
    numbered(NEXT, "two.sql"),
    "CREATE TABLE IF NOT EXISTS one (a UInt8) ENGINE = MergeTree ORDER BY a; CREATE TABLE IF NOT EXISTS two (a Nonsense) ENGINE = Log;",
  );
  await expect(migrate()).rejects.toThrow(
    new RegExp(`^${numbered(NEXT, "two")}\\.sql failed at "CREATE TABLE IF NOT EXISTS two`),
  );
  await add(
    numbered(NEXT, "two.sql"),
    "CREATE TABLE IF NOT EXISTS one (a UInt8) ENGINE = MergeTree ORDER BY a; CREATE TABLE IF NOT EXISTS two (a UInt8) ENGINE = Log;",
  );
  await migrate();
  expect(await ask("EXISTS TABLE two")).toEqual([{ result: 1 }]);
});

test("rejects a file that was edited after it had been applied", async () => {
  await add("0001_baseline.sql", "SELECT 1");
  await expect(migrate()).rejects.toThrow("must not run twice");
  await add("0001_baseline.sql", "-- edited");
  await expect(migrate()).rejects.toThrow("0001_baseline.sql was edited after it had been applied; restore it");
});

test.each(["CREATE TABLE t (a UInt8) ENGINE = Log", "INSERT INTO clicks (click_id) VALUES ('a')", "DROP TABLE clicks"])(
  "rejects %j, which must not run twice",
  async (statement) => {
    await add(numbered(NEXT, "unsafe.sql"), `-- why\n${statement};`);
    await expect(migrate()).rejects.toThrow(
      `${numbered(NEXT, "unsafe.sql")} contains "${statement}", which must not run twice`,
    );
  },
);

test.each([numbered(NEXT + 1, "gap.sql"), "0001_twice.sql", "3_short.sql"])("rejects the name %s", async (name) => {
  await add(name, "DROP TABLE IF EXISTS nothing");
  await expect(migrate()).rejects.toThrow("name it like 0002_more.sql without gaps");
});

/** As the files before the baseline left the database: the same tables, and the records of these files. */
async function recordBefore(names: readonly string[]): Promise<void> {
  await clickhouse.client.command({ query: "TRUNCATE TABLE schema_migrations" });
  const values = names.map((name) => ({ name, sha256: "0".repeat(64) }));
  await clickhouse.client.insert({ table: "schema_migrations", values, format: "JSONEachRow" });
}

const recorded = async () => (await applied()).map(({ name }) => name);
const schema = () =>
  ask("SELECT name, create_table_query FROM system.tables WHERE database = currentDatabase() ORDER BY name");

test("a baseline takes the place of the files that it replaces, and changes no table", async () => {
  const [names, before] = [await recorded(), await schema()];
  await clickhouse.client.insert({
    table: "clicks",
    values: [{ click_id: "kept", at: Date.now() }],
    format: "JSONEachRow",
  });
  await recordBefore(["0013_telemetry_resources.sql", "0014_telemetry_bytes.sql"]);
  await migrate({ rawDays: 20_000, rollupDays: 20_000 });
  expect([await recorded(), await schema()]).toEqual([names, before]);
  expect(await ask("SELECT click_id FROM clicks")).toEqual([{ click_id: "kept" }]);
});

test("a database with only a part of what a baseline replaces is left as it is", async () => {
  await recordBefore(["0012_telemetry.sql", "0013_telemetry_resources.sql"]);
  await expect(migrate()).rejects.toThrow(
    "its last migration is 0013_telemetry_resources.sql, and 0001_baseline.sql replaces all up to 0014_telemetry_bytes.sql. Start",
  );
  expect(await recorded()).toEqual(["0012_telemetry.sql", "0013_telemetry_resources.sql"]);
});

test("gives every table its time to live, and alters only what changed", async () => {
  const mutations = () => ask("SELECT table FROM system.mutations WHERE database = currentDatabase() ORDER BY ALL");
  const ttls = () =>
    ask<{ name: string; ttl: string }>(
      `SELECT name, extract(engine_full, 'TTL (.+) SETTINGS') AS ttl FROM system.tables
       WHERE database = currentDatabase() AND engine_full LIKE '% TTL %' ORDER BY name`,
    );
  const raw = (days: number) =>
    ["clicks", "conversions", "impressions", "offers", "requests", "reversals"].map((name) => ({
      name,
      ttl: `toDateTime(at) + toIntervalDay(${days})`,
    }));
  const rollups = (days: number) =>
    [
      ["report_slots", "slot"],
      ["pixel_slots", "slot"],
      ["key_requests", "hour"],
    ].map(([name = "", column]) => ({ name, ttl: `toDateTime(${column}) + toIntervalDay(${days})` }));
  // No setting says how long these are kept.
  const fixed = [
    { name: "tool_calls", ttl: "toDateTime(at) + toIntervalDay(30)" },
    ...["metric_samples", "otel_logs", "otel_spans", "telemetry_resources"].map((name) => ({ name, ttl: "expires" })),
  ];
  const inOrder = (rows: { name: string }[]) => [...rows, ...fixed].toSorted((a, b) => a.name.localeCompare(b.name));

  await migrate();
  expect(await ttls()).toEqual(inOrder([...raw(400), ...rollups(1825)]));
  const before = await mutations();
  await migrate();
  expect(await mutations()).toEqual(before);
  await migrate({ rawDays: 40 });
  expect(await ttls()).toEqual(inOrder([...raw(40), ...rollups(1825)]));
  // A DateTime ends in 2106: a longer time to live would overflow and delete everything.
  await migrate({ rawDays: 1_000_000, rollupDays: 1_000_000 });
  expect(await ttls()).toEqual(inOrder([...raw(20_000), ...rollups(20_000)]));
});
