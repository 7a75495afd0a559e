import pino from "pino";
import { afterAll, expect, it } from "vitest";
import { openForFile } from "../../../../test/factories/open-for-file";
import { testDatabase } from "../../../../test/factories/postgres";
import { MemoryCounters } from "../../../engines/counters/memory-counters";
import { systemClock } from "../../../kernel/clock";
import { newId } from "../../../kernel/ids";
import { createQueueEngine } from "./create-queue-engine";
import type { QueueEngine, QueueRef } from "./queue-engine";
import { QueueReplica } from "./queue-replica";
import { Saves } from "./saves";
import { Sweeper } from "./sweep-queues";

afterAll(() => Promise.all(engines.map((engine) => engine.stop())));

const start = () =>
  createQueueEngine({
    sql: database.sql,
    clock: systemClock,
    counters: new MemoryCounters(systemClock),
    log: pino({ level: "silent" }),
  });

const database = await openForFile(testDatabase());
const engines = [start(), start()];

const queueRef = (more: Partial<QueueRef> = {}): QueueRef => ({
  id: newId("que", Date.now()),
  visibilityTimeoutMs: 60_000,
  retentionMs: 86_400_000,
  maxReceives: 9,
  ...more,
});

/** The numbers from `from` on, up to `to`, as bodies of about 1,000 bytes, seven of which share a chunk. */
const bodies = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => `${from + i}`.padEnd(1000));
const numbersOf = (messages: readonly { body: string }[]) => messages.map(({ body }) => Number(body));
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);
const textsOf = (list: readonly string[]) => list.map((body) => ({ body, isText: true }));

async function chunksOf(id: string): Promise<[first: number, count: number][]> {
  const { rows } = await database.sql.query<{ first: number; count: number }>(
    "SELECT first::float8 AS first, count FROM queue_chunks WHERE queue_id = $1 ORDER BY first",
    [id],
  );
  return rows.map(({ first, count }) => [first, count]);
}

/** How many chunks of a queue Postgres stores outside their rows. */
async function outOfLine(id: string): Promise<number> {
  const { rows } = await database.sql.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM queue_chunks
     WHERE queue_id = $1 AND (pg_column_toast_chunk_id(records) IS NOT NULL OR pg_column_toast_chunk_id(messages) IS NOT NULL)`,
    [id],
  );
  return rows[0]?.count ?? 0;
}

/** Sweeps what the current state of the queue allows. */
async function sweep(id: string): Promise<boolean> {
  const replica = new QueueReplica(id, { sql: database.sql, clock: systemClock });
  await replica.open();
  await replica.widen();
  const saves = new Saves(replica, database.sql);
  await saves.save();
  const queue = { id, saves, saveIfDue: async () => undefined };
  return new Sweeper(database.sql).sweep([queue], AbortSignal.any([]));
}

it("messages of several chunks are received, peeked and counted in order by every process", async () => {
  const [one, other] = engines as [QueueEngine, QueueEngine];
  const queue = queueRef();
  await one.send(queue, textsOf(bodies(0, 20)));
  await one.send(queue, textsOf(bodies(20, 21)));
  await other.send(queue, textsOf(bodies(21, 30)));
  expect(await chunksOf(queue.id)).toEqual([
    [0, 7],
    [7, 7],
    [14, 6],
    [20, 1],
    [21, 7],
    [28, 2],
  ]);
  expect(await outOfLine(queue.id)).toBe(0);
  for (const engine of engines) expect(numbersOf(await engine.peek(queue, 25))).toEqual(range(0, 25));
  const received = await other.receive(queue, { messagesMax: 24, waitMs: 0 });
  expect(numbersOf(received)).toEqual(range(0, 24));
  await one.acknowledge(
    queue,
    received.map(({ receipt }) => receipt),
  );
  expect(numbersOf(await one.receive(queue, { messagesMax: 100, waitMs: 0 }))).toEqual(range(24, 30));
});

it("a receive takes only messages of its groups out of chunks that other groups share", async () => {
  const [one, other] = engines as [QueueEngine, QueueEngine];
  const queue = queueRef();
  const messages = textsOf(bodies(0, 40)).map((each, i) => ({ ...each, groupId: `g${i % 3}` }));
  await one.send(queue, messages);
  const first = await other.receive(queue, { messagesMax: 14, waitMs: 0 });
  expect(numbersOf(first)).toEqual(range(0, 14).map((n) => n * 3));
  expect(new Set(first.map(({ groupId }) => groupId))).toEqual(new Set(["g0"]));
  const second = await one.receive(queue, { messagesMax: 26, waitMs: 0 });
  expect(numbersOf(second)).toEqual(range(0, 40).filter((n) => n % 3 > 0));
});

it("a chunk stays until all of its messages are gone, and the next sweep deletes it from where the last one ended", async () => {
  const [engine] = engines as [QueueEngine];
  const queue = queueRef();
  await engine.send(queue, textsOf(bodies(0, 20)));
  const received = await engine.receive(queue, { messagesMax: 20, waitMs: 0 });
  const acknowledge = (from: number, to: number) =>
    engine.acknowledge(
      queue,
      received.slice(from, to).map(({ receipt }) => receipt),
    );
  await acknowledge(0, 9);
  expect(await sweep(queue.id)).toBe(false);
  expect(await chunksOf(queue.id)).toEqual([
    [7, 7],
    [14, 6],
  ]);
  expect(numbersOf(await engine.peek(queue, 100))).toEqual(range(9, 20));
  await acknowledge(9, 13);
  await sweep(queue.id);
  expect(await chunksOf(queue.id)).toEqual([
    [7, 7],
    [14, 6],
  ]);
  await acknowledge(14, 20);
  await sweep(queue.id);
  expect(await chunksOf(queue.id)).toEqual([
    [7, 7],
    [14, 6],
  ]);
  const fresh = start();
  expect(numbersOf(await fresh.peek(queue, 100))).toEqual([13]);
  await fresh.stop();
  await acknowledge(13, 14);
  expect(await sweep(queue.id)).toBe(false);
  expect(await chunksOf(queue.id)).toEqual([]);
});

it("a process that starts in the middle of a chunk returns only what is left of it", async () => {
  const [engine] = engines as [QueueEngine];
  const queue = queueRef({ visibilityTimeoutMs: 0 });
  await engine.send(queue, textsOf(bodies(0, 10)));
  const received = await engine.receive(queue, { messagesMax: 5, waitMs: 0, visibilityTimeoutMs: 60_000 });
  const receipts = received.map(({ receipt }) => receipt);
  await engine.acknowledge(queue, [receipts[0] ?? "", receipts[1] ?? "", receipts[3] ?? ""]);
  await engine.giveBack(queue, [
    { receipt: receipts[2] ?? "", delayMs: 0 },
    { receipt: receipts[4] ?? "", delayMs: 0 },
  ]);
  const fresh = start();
  expect(numbersOf(await fresh.receive(queue, { messagesMax: 100, waitMs: 0 }))).toEqual([2, 4, ...range(5, 10)]);
  await fresh.stop();
});

it("bodies of every kind share one chunk, and come back after a move to another queue and its redrive", async () => {
  const [one, other] = engines as [QueueEngine, QueueEngine];
  const dlq = queueRef();
  const queue = queueRef({ dlq, maxReceives: 1, visibilityTimeoutMs: 0 });
  const texts = [
    "",
    "plain",
    "a\0b",
    "\0",
    "half \ud83d",
    "\udca9 half",
    "whole 💩",
    '"quoted"',
    "é€",
    "x".repeat(20_000),
  ];
  const sent = await one.send(queue, [
    ...textsOf(texts),
    { body: '{"a":"\\u0000"}', isText: false, groupId: "\0 \ud83d" },
  ]);
  expect(await chunksOf(queue.id)).toEqual([
    [0, 9],
    [9, 1],
    [10, 1],
  ]);
  const expected = [
    ...texts.map((body) => ({ body, isText: true, groupId: undefined })),
    { body: '{"a":"\\u0000"}', isText: false, groupId: "\0 \ud83d" },
  ].map((each, i) => ({ ...each, id: sent[i]?.id }));
  const first = await one.receive(queue, { messagesMax: 100, waitMs: 0 });
  expect(first).toMatchObject(expected);
  expect(await one.receive(queue, { messagesMax: 100, waitMs: 0 })).toEqual([]);
  expect(await other.peek(dlq, 100)).toMatchObject(expected);
  expect(await chunksOf(dlq.id)).toEqual([
    [0, 9],
    [9, 1],
    [10, 1],
  ]);
  expect(await other.redrive(dlq, queue, 100)).toEqual({ moved: 11 });
  const again = await other.receive(queue, { messagesMax: 100, waitMs: 0 });
  expect(again).toMatchObject(expected);
  expect(again.map(({ sentAt }) => sentAt)).toEqual(first.map(({ sentAt }) => sentAt));
});

it("a move takes scattered messages of large bodies, in several transactions, and keeps their order", async () => {
  const [one, other] = engines as [QueueEngine, QueueEngine];
  const [from, to] = [queueRef(), queueRef()];
  const large = range(0, 60).map((n) => ({ body: `${n}`.padEnd(262_144), isText: true, groupId: `g${n % 2}` }));
  await one.send(from, large);
  const held = await one.receive(from, { messagesMax: 3, waitMs: 0 });
  expect(numbersOf(held)).toEqual([0, 2, 4]);
  expect(await other.redrive(from, to, 100)).toEqual({ moved: 30 });
  const moved = [];
  for (let left = 30; left > 0; ) {
    const received = await one.receive(to, { messagesMax: 100, waitMs: 0 });
    expect(received.length).toBe(Math.min(left, 16));
    left -= received.length;
    moved.push(...received);
    await one.acknowledge(
      to,
      received.map(({ receipt }) => receipt),
    );
  }
  expect(numbersOf(moved)).toEqual(range(0, 30).map((n) => n * 2 + 1));
});

it("a send, a receipt and a receive of one moment share a turn, with deduplication or not", async () => {
  const [engine] = engines as [QueueEngine];
  const queue = queueRef();
  const send = (body: string, deduplicationId?: string) =>
    engine.send(queue, [{ body, isText: true, ...(deduplicationId === undefined ? {} : { deduplicationId }) }]);
  await send("1", "a");
  await send("2");
  const [first] = await engine.receive(queue, { messagesMax: 1, waitMs: 0 });
  const [, , second] = await Promise.all([
    engine.acknowledge(queue, [first?.receipt ?? ""]),
    engine.send(queue, [
      { body: "3", isText: true, deduplicationId: "b" },
      { body: "4", isText: true },
    ]),
    engine.receive(queue, { messagesMax: 1, waitMs: 5000 }),
    send("5", "a"),
  ]);
  expect(numbersOf(second)).toEqual([2]);
  expect(numbersOf(await engine.peek(queue, 100))).toEqual([2, 3, 4]);
});
