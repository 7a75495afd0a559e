import type { Pool } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../test/factories/postgres";
import { MemoryCounters } from "../../engines/counters/memory-counters";
import { systemClock } from "../../kernel/clock";
import { SignalMemory } from "./signal-memory";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

it("recalls what was remembered while an earlier recall was still reading", async () => {
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let reads = 0;
  /** Postgres, whose first answer about signals is long under way. */
  const sql = {
    query: async (query: { name: string; text: string; values: unknown[] }) => {
      const answer = await database.sql.query(query);
      if (query.name === "load_signals" && reads++ === 0) await held;
      return answer;
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
