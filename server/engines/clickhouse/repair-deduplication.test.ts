import { mkdtemp, readdir, readFile, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { repairDeduplication } from "./repair-deduplication.mjs";
import { type EmbeddedClickHouse, startClickHouse } from "./start-clickhouse";

const rootDir = path.resolve(import.meta.dirname, "../../..");
const WINDOW = "SETTINGS non_replicated_deduplication_window = 1000";

let dir: string;
let engine: EmbeddedClickHouse;

beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), "clickhouse-"));
  await start();
  const { client } = engine;
  await client.command({ query: `CREATE TABLE facts (n UInt64) ENGINE = MergeTree ORDER BY n ${WINDOW}` });
  await client.command({ query: `CREATE TABLE sums (n UInt64) ENGINE = MergeTree ORDER BY n ${WINDOW}` });
  await client.command({ query: "CREATE MATERIALIZED VIEW view TO sums AS SELECT sum(n) AS n FROM facts" });
});

afterEach(async () => {
  await engine.stop();
  await rm(dir, { recursive: true, force: true });
});

async function start(): Promise<void> {
  engine = await startClickHouse({ rootDir, dir, grants: ["GRANT OPTIMIZE ON default.*"] });
}

const insert = (n: number): Promise<unknown> =>
  engine.client.insert({
    table: "facts",
    values: [{ n }],
    format: "JSONEachRow",
    clickhouse_settings: { insert_deduplication_token: `insert ${n}` },
  });

async function read(table: string): Promise<number[]> {
  const query = `SELECT toUInt32(n) AS n FROM ${table} ORDER BY n`;
  const rows = await (await engine.client.query({ query, format: "JSONEachRow" })).json<{ n: number }>();
  return rows.map(({ n }) => n);
}

/** The folders of `facts` and `sums` in `dir`. */
async function tables(): Promise<string[]> {
  const entries = await readdir(path.join(dir, "store"), { recursive: true });
  const logs = entries.filter((entry) => entry.endsWith("deduplication_logs"));
  return logs.map((entry) => path.join(dir, "store", path.dirname(entry)));
}

/** The state that kill -9 leaves after the token of the newest part is written and before the part is renamed. */
async function takeNewestPart(table: string): Promise<void> {
  const parts = (await readdir(table)).filter((name) => /^all_\d+_\d+_0$/.test(name));
  const newest = parts.sort((one, other) => Number(other.split("_")[1]) - Number(one.split("_")[1]))[0] ?? "";
  await rename(path.join(table, newest), path.join(table, `tmp_insert_${newest}`));
}

test("an insert that was killed between its token and its rename inserts when it is sent again, also through views", async () => {
  await insert(1);
  await insert(2);
  await engine.stop();
  for (const table of await tables()) await takeNewestPart(table);
  await start();
  expect([await read("facts"), await read("sums")]).toEqual([[1], [1]]);
  for (const n of [2, 1, 2]) await insert(n);
  expect([await read("facts"), await read("sums")]).toEqual([
    [1, 2],
    [1, 2],
  ]);
});

test("a part that was merged or detached keeps its token", async () => {
  await insert(1);
  await insert(2);
  await engine.client.command({ query: "OPTIMIZE TABLE facts FINAL" });
  await engine.stop();
  for (const table of await tables()) {
    const parts = await readdir(table);
    const isMerged = parts.some((part) => part.endsWith("_1"));
    for (const part of parts.filter((name) => /^all_\d+_\d+_0$/.test(name))) {
      if (isMerged) await rm(path.join(table, part), { recursive: true });
      else await rename(path.join(table, part), path.join(table, "detached", part));
    }
  }
  const before = await logs();
  expect(repairDeduplication(dir)).toBe(0);
  expect(await logs()).toEqual(before);
  await start();
  await insert(2);
  expect(await read("facts")).toEqual([1, 2]);
});

test("nothing is changed while an engine runs", async () => {
  await insert(1);
  for (const table of await tables()) await takeNewestPart(table);
  expect(repairDeduplication(dir)).toBe(0);
  await engine.stop();
  expect(repairDeduplication(dir)).toBe(2);
});

const logs = async (): Promise<string[]> =>
  Promise.all(
    (await tables()).map((table) => readFile(path.join(table, "deduplication_logs/deduplication_log_1.txt"), "utf8")),
  );
