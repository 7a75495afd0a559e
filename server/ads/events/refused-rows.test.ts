import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { pino } from "pino";
import { afterAll, beforeEach, expect, it, vi } from "vitest";
import { testAlarms } from "../../../test/factories/alarms";
import { testClickHouse } from "../../../test/factories/clickhouse";
import { fileFolder } from "../../../test/factories/file-folder";
import { testDatabase } from "../../../test/factories/postgres";
import { DeadLetterFile } from "../../engines/wal/dead-letter-file";
import { Wal } from "../../engines/wal/wal";
import { uuidv7 } from "../../kernel/ids";
import { shipFacts } from "./ship-facts";
import { shipOutbox } from "./ship-outbox";
import type { AtStep } from "./steps";

let files = 0;
const logged: string[] = [];
const log = pino({ level: "error" }, { write: (line: string) => void logged.push(line) });
const dir = fileFolder("svc-refused-");
const [database, clickhouse] = await Promise.all([testDatabase(), testClickHouse()]);
beforeEach(async () => {
  logged.length = 0;
  await clickhouse.client.command({ query: "TRUNCATE TABLE requests" });
});
afterAll(() => Promise.all([database?.close(), clickhouse?.close()]));

const good = () => JSON.stringify({ at: new Date().toISOString(), request_id: uuidv7(Date.now()), tenant_id: "t" });
const BAD = [
  JSON.stringify({ at: "not a time", request_id: uuidv7(1), tenant_id: "bad" }),
  JSON.stringify({ at: new Date().toISOString(), request_id: "no uuid", tenant_id: "bad" }),
  `{"at":"2026-01-02 03:04:05","served":"x","request_id":"${uuidv7(2)}","tenant_id":"bad"}`,
];

/** Many valid rows around the invalid ones. */
function mixed(count: number): string[] {
  const rows = Array.from({ length: count }, good);
  for (const [i, bad] of BAD.entries()) rows.splice(((i + 1) * count) >> 2, 0, bad);
  return rows;
}

async function stored(): Promise<Record<string, number> | undefined> {
  const query = "SELECT toUInt32(count()) AS rows, toUInt32(uniqExact(request_id)) AS distinct FROM requests";
  const result = await clickhouse.client.query({ query, format: "JSONEachRow" });
  return (await result.json<Record<string, number>>())[0];
}

function scene(atStep: AtStep = () => undefined) {
  const file = path.join(dir, `dead-letters-${files++}.ndjson`);
  const deadLetters = new DeadLetterFile({ file, log });
  const read = () =>
    readFileSync(file, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, string>);
  const replayClick = async () => [];
  return {
    file,
    read,
    parts: { sql: database.sql, clickhouse: clickhouse.client, deadLetters, log, atStep, replayClick },
  };
}

it("rows of the write-ahead file that ClickHouse rejects go to the dead-letter file, and all others arrive once", async () => {
  let failures = 1;
  const { file, read, parts } = scene((step) => {
    // Everything is inserted and nothing acknowledged: the next attempt sends the same pieces again.
    if (step === "facts.inserted" && failures-- > 0) throw new Error("a crash of this test");
  });
  const wal = await Wal.open(path.join(dir, "facts"));
  await Promise.all(mixed(600).map((row) => wal.append(`R${row}`)));
  await wal.append("Pno JSON");
  await wal.append("?of no known kind");
  const loop = shipFacts({ ...parts, wal });
  await vi.waitUntil(() => wal.waitingBytes === 0, { timeout: 100_000, interval: 50 });
  await loop.stop();
  await wal.close();
  expect(await stored()).toEqual({ rows: 600, distinct: 600 });
  expect(
    read()
      .map(({ row }) => row)
      .sort(),
  ).toEqual([...BAD, "?of no known kind", "Pno JSON"].sort());
  expect(read().find(({ row }) => row === BAD[0])).toMatchObject({
    table: "requests",
    error: expect.stringMatching(/DateTime/),
  });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect([...parts.deadLetters.refused]).toEqual([
    ["clicks", 1],
    ["unknown", 1],
    ["requests", 3],
  ]);
  expect(logged.join("")).toContain("a row was permanently rejected and is kept in");
});

it("a rejected row of the outbox blocks neither its slice nor the next ones", async () => {
  const { read, parts } = scene();
  for (const row of [...mixed(50), ...mixed(50)]) {
    await database.sql.query(`INSERT INTO outbox ("table", row) VALUES ('requests', $1)`, [row]);
  }
  const loop = shipOutbox({ ...parts, alarms: testAlarms(database) });
  const left = "SELECT (SELECT count(*) FROM outbox)::int + (SELECT count(*) FROM outbox_slices)::int AS left";
  await vi.waitUntil(async () => (await database.sql.query(left)).rows[0]?.left === 0, {
    timeout: 100_000,
    interval: 50,
  });
  await loop.stop();
  expect(await stored()).toEqual({ rows: 100, distinct: 100 });
  expect(read()).toHaveLength(2 * BAD.length);
});

it("rows wait while their ClickHouse table does not exist", async () => {
  const { parts } = scene();
  const wal = await Wal.open(path.join(dir, "patient"));
  await clickhouse.client.command({ query: "RENAME TABLE requests TO renamed" });
  const loop = shipFacts({ ...parts, wal });
  await wal.append(`R${good()}`);
  await database.sql.query("SELECT pg_sleep(2)");
  const waitedBytes = wal.waitingBytes;
  await clickhouse.client.command({ query: "RENAME TABLE renamed TO requests" });
  await vi.waitUntil(() => wal.waitingBytes === 0, { timeout: 100_000, interval: 50 });
  await loop.stop();
  await wal.close();
  expect(waitedBytes).toBeGreaterThan(0);
  expect(parts.deadLetters.refused.size).toBe(0);
  expect((await stored())?.rows).toBe(1);
});
