import pino from "pino";
import { expect, it } from "vitest";
import { openForFile } from "../../../../test/factories/open-for-file";
import { testDatabase } from "../../../../test/factories/postgres";
import { MemoryCounters } from "../../../engines/counters/memory-counters";
import { systemClock } from "../../../kernel/clock";
import { newId } from "../../../kernel/ids";
import { createQueueEngine } from "./create-queue-engine";
import { QueueReplica } from "./queue-replica";
import { Saves } from "./saves";
import { Sweeper } from "./sweep-queues";

const database = await openForFile(testDatabase());

const start = () => {
  const counters = new MemoryCounters(systemClock);
  return createQueueEngine({ sql: database.sql, clock: systemClock, counters, log: pino({ level: "silent" }) });
};

const message = (body: string) => ({ body, isText: true });

async function countRows(id: string): Promise<number[]> {
  const { rows } = await database.sql.query<Record<string, bigint>>(
    `SELECT (SELECT count(*) FROM queue_chunks WHERE queue_id = $1) AS chunks,
       (SELECT count(*) FROM queue_log WHERE queue_id = $1) AS entries,
       (SELECT count(*) FROM queue_snapshots WHERE queue_id = $1) AS snapshots`,
    [id],
  );
  return Object.values(rows[0] ?? {}).map(Number);
}

it("deletes what a snapshot covers, and a process that knows only deleted entries goes on at the end of the log", async () => {
  const [engine, outdated] = [start(), start()];
  const queue = { id: newId("que", Date.now()), visibilityTimeoutMs: 60_000, retentionMs: 86_400_000, maxReceives: 9 };
  await engine.send(queue, [message("a"), message("b")]);
  await engine.send(queue, [message("c")]);
  await outdated.figures(queue);
  const received = await engine.receive(queue, { messagesMax: 2, waitMs: 0 });
  for (const { receipt } of received) await engine.acknowledge(queue, [receipt]);
  expect(await countRows(queue.id)).toEqual([2, 6, 0]);

  const replica = new QueueReplica(queue.id, { sql: database.sql, clock: systemClock });
  await replica.open();
  let now = 0;
  const saves = new Saves(replica, database.sql, () => now);
  await saves.save();
  const sweeper = new Sweeper(database.sql);
  const sweep = () => sweeper.sweep([{ id: queue.id, saves, saveIfDue: async () => undefined }], AbortSignal.any([]));
  await sweep();
  // Entries stay for as long as a statement may run that does not know of the snapshot.
  expect(await countRows(queue.id)).toEqual([1, 6, 1]);
  now = 130_000;
  await sweep();
  expect(await countRows(queue.id)).toEqual([1, 1, 1]);

  await outdated.send(queue, [message("d")]);
  const fresh = start();
  for (const each of [outdated, engine, fresh]) {
    expect((await each.peek(queue, 10)).map(({ body }) => body)).toEqual(["c", "d"]);
  }
  const rest = await outdated.receive(queue, { messagesMax: 10, waitMs: 0 });
  expect(rest.map(({ body }) => body)).toEqual(["c", "d"]);
  expect(await fresh.figures(queue)).toMatchObject({ waiting: 0, inFlight: 2 });
  await Promise.all([engine, outdated, fresh].map((each) => each.stop()));
});
