import type { Pool } from "pg";
import { expect, it } from "vitest";
import { openForFile } from "../../../test/factories/open-for-file";
import { testDatabase } from "../../../test/factories/postgres";
import { MemoryCounters } from "../../engines/counters/memory-counters";
import { systemClock } from "../../kernel/clock";
import { SignalMemory } from "./signal-memory";
import { deleteSignalsBefore } from "./signals.sql";

const database = await openForFile(testDatabase());

it("recalls signals that were stored while an earlier recall was still reading", async () => {
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let reads = 0;
  /** A Postgres whose first response about signals is delayed. */
  const sql = {
    query: async (query: { name: string; text: string; values: unknown[] }) => {
      const result = await database.sql.query(query);
      if (query.name === "load_signals" && reads++ === 0) await held;
      return result;
    },
  } as unknown as Pool;
  const memory = new SignalMemory({ sql, counters: new MemoryCounters(systemClock), clock: systemClock });
  const early = memory.recall(["user"]);
  while (reads === 0) await new Promise((resolve) => setImmediate(resolve));
  await memory.remember("ten_1", ["user"], [{ subject: "boots" }]);
  letGo();
  expect(await early).toEqual([]);
  expect(await memory.recall(["user"])).toMatchObject([{ signal: { subject: "boots" } }]);
  await memory.close();
});

it("deletes any number of old signals in several statements, and no newer ones", async () => {
  const insert = `INSERT INTO signals (tenant_id, subject_key, category, confidence, subject, created_at)
    SELECT 'ten_1', 'k' || i, '', 1, '', $1::timestamptz FROM generate_series(1, $2::int) i`;
  await database.sql.query("DELETE FROM signals");
  await database.sql.query(insert, ["2026-01-01T00:00:00Z", 25_000]);
  await database.sql.query(insert, ["2026-01-03T00:00:00Z", 5]);
  const deleted: (number | null)[] = [];
  const sql = {
    query: async (text: string, values: unknown[]) => {
      const result = await database.sql.query(text, values);
      deleted.push(result.rowCount);
      return result;
    },
  } as unknown as Pool;
  await deleteSignalsBefore(sql, new Date("2026-01-02T00:00:00Z"));
  expect(deleted).toEqual([10_000, 10_000, 5000]);
  expect((await database.sql.query("SELECT count(*)::int AS n FROM signals")).rows).toEqual([{ n: 5 }]);
});
