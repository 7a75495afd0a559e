import type { Pool } from "pg";
import pino from "pino";
import { expect, it } from "vitest";
import { openForFile } from "../../../../test/factories/open-for-file";
import { testDatabase } from "../../../../test/factories/postgres";
import { MemoryCounters } from "../../../engines/counters/memory-counters";
import { systemClock } from "../../../kernel/clock";
import { newId } from "../../../kernel/ids";
import { createQueueEngine } from "./create-queue-engine";

/** Rows are read in three parts. */
const IN_FLIGHT = 12_000;
const BATCH = 100;

const database = await openForFile(testDatabase());
const engineOf = (sql: Pool) =>
  createQueueEngine({
    sql,
    clock: systemClock,
    counters: new MemoryCounters(systemClock),
    log: pino({ level: "silent" }),
  });

/** The database, and how often rows of messages were read through it. */
function counted(): { sql: Pool; reads: () => number } {
  let reads = 0;
  const query = (...given: Parameters<Pool["query"]>) => {
    if ((given[0] as { name?: string }).name === "queue_rows") reads++;
    return database.sql.query(...given);
  };
  const sql = new Proxy(database.sql, { get: (pool, name) => (name === "query" ? query : Reflect.get(pool, name)) });
  return { sql, reads: () => reads };
}

it("a queue with much in flight takes sends and receipts while it is loaded, and a receive gets what it must", async () => {
  const ref = {
    id: newId("que", Date.now()),
    visibilityTimeoutMs: 600_000,
    retentionMs: 86_400_000,
    maxReceives: 10,
  };
  const before = engineOf(database.sql);
  let receipt = "";
  for (let n = 0; n < IN_FLIGHT; n += BATCH) {
    const messages = Array.from({ length: BATCH }, (_, i) => ({ body: "b", isText: true, groupId: `g${n + i}` }));
    await before.send(ref, messages);
    const [first] = await before.receive(ref, { messagesMax: BATCH, waitMs: 0 });
    receipt ||= first?.receipt ?? "";
  }
  await before.stop();

  const { sql, reads } = counted();
  const engine = engineOf(sql);
  const received = engine.receive(ref, { messagesMax: 10, waitMs: 0 });
  const sent = engine.send(ref, [
    { body: "of a group in flight", isText: true, groupId: `g${IN_FLIGHT - 1}` },
    { body: "of another", isText: true, groupId: "other" },
  ]);
  expect(await engine.acknowledge(ref, [receipt])).toEqual(["ok"]);
  expect(await sent).toHaveLength(2);
  expect(reads()).toBe(1);
  expect((await received).map(({ body }) => body)).toEqual(["of another"]);
  expect(reads()).toBeGreaterThan(2);
  expect(await engine.figures(ref)).toMatchObject({ inFlight: IN_FLIGHT, waiting: 1 });
  await engine.stop();
});
