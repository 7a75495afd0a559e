import path from "node:path";
import { pino } from "pino";
import { expect, it } from "vitest";
import { fileFolder } from "../../../test/factories/file-folder";
import { Wal } from "../../engines/wal/wal";
import { FactLog } from "./fact-log";
import type { FactRow, FactTable } from "./fact-rows";

const dir = fileFolder("svc-fact-log-");

const WAITING_BYTES_MAX = 10_000;
const TABLES: FactTable[] = ["requests", "impressions", "clicks", "offers"];
/** A line of exactly one percent of the file. */
const ROW: FactRow = { x: "x".repeat(100 - 10 - 1 - '{"x":""}'.length) };
const CLICK = { offer_id: "o".repeat(36), click_id: "c".repeat(32), at: 1 };

async function scene(name: string) {
  const logged: { level: number; msg: string; table?: string; percent?: number }[] = [];
  const log = pino({}, { write: (line: string) => void logged.push(JSON.parse(line)) });
  const wal = await Wal.open(path.join(dir, name), { waitingBytesMax: WAITING_BYTES_MAX });
  return { wal, logged, facts: new FactLog(wal, log) };
}

/** The percentage of the file at which the first row of each table was dropped. */
async function fillUp(facts: FactLog, wal: Wal): Promise<Record<string, number>> {
  const droppedAt: Record<string, number> = {};
  for (let round = 0; round < 200; round++) {
    for (const table of TABLES) {
      const percent = Math.round(wal.fill * 100);
      await facts.appendRows([[table, ROW]]);
      if (facts.shed.get(table) === 1) droppedAt[table] ??= percent;
    }
  }
  return droppedAt;
}

it("drops the least valuable facts first as the file fills up, rejects no request, and reserves space for clicks", async () => {
  const { wal, facts } = await scene("order");
  const droppedAt = await fillUp(facts, wal);
  expect(Object.keys(droppedAt)).toEqual(TABLES);
  // Each round uses up to four percent.
  for (const [table, from] of Object.entries({ requests: 70, impressions: 80, clicks: 85, offers: 90 })) {
    expect(droppedAt[table]).toBeGreaterThanOrEqual(from);
    expect(droppedAt[table]).toBeLessThanOrEqual(from + 4);
  }
  expect(wal.waitingBytes).toBeLessThanOrEqual(WAITING_BYTES_MAX * 0.94);
  await facts.appendClick(CLICK);
  // When the reserved space is used up too, only clicks fail; facts never cause a request to fail.
  await expect(
    (async () => {
      for (;;) await facts.appendClick(CLICK);
    })(),
  ).rejects.toMatchObject({ code: "unavailable", details: { reason: "back_pressure" } });
  await facts.appendRows(TABLES.map((table) => [table, ROW]));
  await expect(facts.appendRows([["conversions", ROW]])).rejects.toMatchObject({ code: "unavailable" });
  await wal.close();
});

it("drops facts that do not fit, even if they all come at once", async () => {
  const { wal, facts } = await scene("burst");
  await facts.appendRows(Array.from({ length: 300 }, () => ["offers", ROW]));
  expect(facts.shed.get("offers")).toBe(200);
  await wal.close();
});

it("logs once at each threshold until the file has drained, and once per table that is dropped or stored again", async () => {
  const { wal, facts, logged } = await scene("warnings");
  const drain = async () => {
    for (let slice = await wal.take(); slice; slice = await wal.take()) await slice.ack();
    await facts.appendRows([["offers", ROW]]);
  };
  await fillUp(facts, wal);
  expect(logged.flatMap(({ percent }) => percent ?? [])).toEqual([50, 80]);
  expect(logged.filter(({ level }) => level === 50).map(({ table }) => table)).toEqual(TABLES);
  logged.length = 0;
  await drain();
  expect(logged.map(({ table, msg }) => [table, msg])).toEqual(
    TABLES.map((table) => [table, "rows of this table are stored again"]),
  );
  await fillUp(facts, wal);
  expect(logged.flatMap(({ percent }) => percent ?? [])).toEqual([50, 80]);
  await wal.close();
});
