import { pino } from "pino";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openForFile } from "../../../../test/factories/open-for-file";
import { testDatabase } from "../../../../test/factories/postgres";
import { MemoryCounters } from "../../../engines/counters/memory-counters";
import { ManualClock } from "../../../kernel/clock";
import { newId } from "../../../kernel/ids";
import { createQueueEngine } from "../queue-log/create-queue-engine";
import type { QueueEngine, QueueRef } from "../queue-log/queue-engine";
import { queueHistoryTasks, startQueueHistory } from "./measure-queues";
import { historyPeriodOf, historyPoints } from "./queue-history";
import { readQueueSteps } from "./queue-minutes.sql";

const NOON = new Date("2026-11-20T12:00:05Z");
const MINUTE_MS = 60_000;
const log = pino({ level: "silent" });

let clock: ManualClock;
let engine: QueueEngine;
const database = await openForFile(testDatabase());
beforeEach(() => {
  clock = new ManualClock(NOON);
  engine = createQueueEngine({ sql: database.sql, clock, counters: new MemoryCounters(clock), log });
});
afterEach(() => engine.stop());

async function newQueue(): Promise<QueueRef> {
  const id = newId("que", clock.now().getTime());
  const seconds = { visibilityTimeoutSeconds: 30, retentionSeconds: 3600 };
  const times = { createdAt: clock.now(), updatedAt: clock.now() };
  const owner = { tenantId: "ten_1", projectId: "prj_1", mode: "test" } as const;
  await database.db.queue.create({ data: { id, name: id.slice(4), ...owner, ...seconds, maxReceives: 2, ...times } });
  return { id, visibilityTimeoutMs: 30_000, retentionMs: 3_600_000, maxReceives: 2 };
}

/** What a process does with the queue until it stops. */
async function inProcess(work: (counted: QueueEngine) => Promise<unknown>): Promise<void> {
  const history = startQueueHistory(engine, { sql: database.sql, clock, log });
  await work(history.engine);
  await history.stop();
}

const tasks = () => queueHistoryTasks({ db: database.db, sql: database.sql, clock, engine });
const run = (task: string) => tasks()[task]?.({}, { isLast: false });

/** The last minutes that are not all zero: time, then sent, received, acknowledged, waiting, delayed, in flight. */
async function minutesOf({ id }: QueueRef): Promise<unknown[][]> {
  const period = historyPeriodOf({ step: "1m" }, clock.now());
  const points = historyPoints(await readQueueSteps(database.sql, { queueId: id, ...period }), period);
  return points
    .map(({ start, ...counts }) => [start.slice(11, 16), ...Object.values(counts)])
    .filter(([, ...counts]) => counts.some((count) => count !== 0));
}

const text = (body: string) => ({ body, isText: true });

it("counts what was sent, received and acknowledged, with the depth afterwards; duplicates are not sent", async () => {
  const queue = await newQueue();
  await inProcess(async (counted) => {
    await counted.send(queue, [text("a"), { ...text("b"), deduplicationId: "b" }, text("c")]);
    await counted.send(queue, [
      { ...text("b"), deduplicationId: "b" },
      { ...text("d"), delayMs: 600_000 },
    ]);
    const [first] = await counted.receive(queue, { messagesMax: 2, waitMs: 0 });
    expect(await counted.acknowledge(queue, [first?.receipt ?? "", "unknown"])).toEqual(["ok", "unknown"]);
  });
  expect(await minutesOf(queue)).toEqual([["12:00", 4, 2, 1, 1, 1, 1]]);
});

it("adds up what several processes did in a minute, and keeps the last depth", async () => {
  const queue = await newQueue();
  await inProcess((counted) => counted.send(queue, [text("a")]));
  await inProcess((counted) => counted.send(queue, [text("b"), text("c")]));
  expect(await minutesOf(queue)).toEqual([["12:00", 3, 0, 0, 3, 0, 0]]);
});

it("shows the last depth until the next measurement, also for a queue that nobody uses", async () => {
  const queue = await newQueue();
  await inProcess((counted) => counted.send(queue, [{ ...text("a"), delayMs: 90_000 }]));
  clock.advance(2 * MINUTE_MS);
  expect(await minutesOf(queue)).toEqual([
    ["12:00", 1, 0, 0, 0, 1, 0],
    ["12:01", 0, 0, 0, 0, 1, 0],
    ["12:02", 0, 0, 0, 0, 1, 0],
  ]);
  await run("measure_queues");
  expect((await minutesOf(queue)).at(-1)).toEqual(["12:02", 0, 0, 0, 1, 0, 0]);
});

it("measures a queue until it is empty, and no deleted one", async () => {
  const [queue, deleted] = [await newQueue(), await newQueue()];
  await inProcess(async (counted) => {
    await counted.send(queue, [text("a")]);
    await counted.send(deleted, [text("a")]);
  });
  await database.db.queue.update({ where: { id: deleted.id }, data: { deletedAt: clock.now() } });
  await engine.purge(queue);
  for (let minute = 0; minute < 2; minute++) {
    clock.advance(MINUTE_MS);
    await run("measure_queues");
  }
  const rowsOf = async ({ id }: QueueRef) =>
    (await database.sql.query("SELECT waiting FROM queue_minutes WHERE queue_id = $1 ORDER BY minute", [id])).rows;
  expect(await rowsOf(queue)).toEqual([{ waiting: 1n }, { waiting: 0n }]);
  expect(await rowsOf(deleted)).toHaveLength(1);
});

it("keeps counts that could not be stored for the next time", async () => {
  const queue = await newQueue();
  let isUnavailable = true;
  const sql = new Proxy(database.sql, {
    get: (pool, name) => {
      if (name === "query" && isUnavailable) return () => Promise.reject(new Error("unavailable"));
      const value: unknown = Reflect.get(pool, name);
      return typeof value === "function" ? value.bind(pool) : value;
    },
  });
  const warned: unknown[] = [];
  const noted = { info: () => undefined, warn: (...line: unknown[]) => void warned.push(line) };
  const history = startQueueHistory(engine, { sql, clock, log: noted, everyMs: 5 });
  await history.engine.send(queue, [text("a")]);
  await expect.poll(() => warned.length).toBe(1);
  await history.engine.send(queue, [text("b")]);
  isUnavailable = false;
  await expect.poll(() => minutesOf(queue)).toEqual([["12:00", 2, 0, 0, 2, 0, 0]]);
  await history.stop();
});

it("is kept for 14 days", async () => {
  const queue = await newQueue();
  await inProcess((counted) => counted.send(queue, [text("a")]));
  clock.advance((14 * 24 * 60 - 1) * MINUTE_MS);
  await run("forget_queue_history");
  const count = async () =>
    (await database.sql.query("SELECT 1 FROM queue_minutes WHERE queue_id = $1", [queue.id])).rowCount;
  expect(await count()).toBe(1);
  clock.advance(MINUTE_MS);
  await run("forget_queue_history");
  expect(await count()).toBe(0);
});
