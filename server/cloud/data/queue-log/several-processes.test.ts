import pino from "pino";
import { expect, it } from "vitest";
import { openForFile } from "../../../../test/factories/open-for-file";
import { testDatabase } from "../../../../test/factories/postgres";
import { MemoryCounters } from "../../../engines/counters/memory-counters";
import { systemClock } from "../../../kernel/clock";
import { newId } from "../../../kernel/ids";
import { createQueueEngine } from "./create-queue-engine";
import type { QueueEngine, QueueRef, ReceivedMessage } from "./queue-engine";

const ENGINES = 3;
const GROUPS = 5;
const MESSAGES = 60;
const IN_FLIGHT_MAX = 7;

const database = await openForFile(testDatabase());

const queueRef = (more: Partial<QueueRef> = {}): QueueRef => ({
  id: newId("que", Date.now()),
  visibilityTimeoutMs: 600_000,
  retentionMs: 86_400_000,
  maxReceives: 1000,
  ...more,
});

/** Engines as in processes of their own, which share the counters as they would share a Redis. */
function engines(count: number): QueueEngine[] {
  const counters = new MemoryCounters(systemClock);
  const log = pino({ level: "silent" });
  return Array.from({ length: count }, () =>
    createQueueEngine({ sql: database.sql, clock: systemClock, counters, log, inFlightMax: IN_FLIGHT_MAX }),
  );
}

const stopAll = (all: readonly QueueEngine[]) => Promise.all(all.map((engine) => engine.stop()));

/** A message of a group may come only when all earlier ones are acknowledged or before it in the same batch. */
class Witness {
  readonly next = new Map<string, number>();
  held = 0;
  heldMax = 0;
  done = 0;

  received(messages: readonly ReceivedMessage[]): void {
    this.held += messages.length;
    this.heldMax = Math.max(this.heldMax, this.held);
    const batch = new Map<string, number>();
    for (const { body, groupId = "" } of messages) {
      const expected = batch.get(groupId) ?? this.next.get(groupId) ?? 0;
      expect(`${groupId}:${body}`).toBe(`${groupId}:${expected}`);
      batch.set(groupId, expected + 1);
    }
  }

  /** To be called before the receipts are used. */
  ending(messages: readonly ReceivedMessage[], acknowledged: number): void {
    this.held -= messages.length;
    for (const { body, groupId = "" } of messages.slice(0, acknowledged)) this.next.set(groupId, Number(body) + 1);
    this.done += acknowledged;
  }
}

it("several processes on one queue keep the order of each group, deliver once while leased, and hold the limit", async () => {
  const all = engines(ENGINES);
  const queue = queueRef();
  const witness = new Witness();
  const engineOf = (n: number) => all[n % ENGINES] as QueueEngine;
  const send = async (group: number) => {
    for (let i = 0; i < MESSAGES; i += 2) {
      const bodies = [`${i}`, `${i + 1}`];
      await engineOf(i + group).send(
        queue,
        bodies.map((body) => ({ body, isText: true, groupId: `g${group}` })),
      );
    }
  };
  const consume = async (n: number) => {
    for (let round = n; witness.done < GROUPS * MESSAGES; round++) {
      const messages = await engineOf(round).receive(queue, { messagesMax: 1 + (round % 4), waitMs: 200 });
      witness.received(messages);
      const kept = round % 5 === 0 ? messages.length - 1 : messages.length;
      witness.ending(messages, Math.max(0, kept));
      const receipts = messages.map(({ receipt }) => receipt);
      const [ended, returned] = [receipts.slice(0, Math.max(0, kept)), receipts.slice(Math.max(0, kept))];
      // By another process than the one that received.
      const acknowledged = await engineOf(round + 1).acknowledge(queue, ended);
      expect(acknowledged.every((outcome) => outcome === "ok")).toBe(true);
      const items = returned.map((receipt) => ({ receipt, delayMs: 0 }));
      expect((await engineOf(round + 2).giveBack(queue, items)).every((outcome) => outcome === "ok")).toBe(true);
    }
  };
  await Promise.all([
    ...Array.from({ length: GROUPS }, (_, group) => send(group)),
    ...Array.from({ length: 6 }, (_, n) => consume(n)),
  ]);
  expect(witness.heldMax).toBeLessThanOrEqual(IN_FLIGHT_MAX);
  for (const engine of all) expect(await engine.figures(queue)).toMatchObject({ waiting: 0, inFlight: 0 });
  await stopAll(all);
});

it("a receive that waits in one process is woken by a send, a return and an acknowledgement in another", async () => {
  const [one, other] = engines(2) as [QueueEngine, QueueEngine];
  const queue = queueRef();
  const ask = { messagesMax: 1, waitMs: 20_000 };
  const waiting = one.receive(queue, ask);
  await other.send(queue, [
    { body: "a", isText: true },
    { body: "b", isText: true },
  ]);
  const [first] = await waiting;
  expect(first?.body).toBe("a");
  const again = one.receive(queue, ask);
  await other.giveBack(queue, [{ receipt: first?.receipt ?? "", delayMs: 0 }]);
  const [second] = await again;
  expect(second).toMatchObject({ body: "a", receiveCount: 2 });
  const last = one.receive(queue, ask);
  expect(await other.acknowledge(queue, [second?.receipt ?? ""])).toEqual(["ok"]);
  expect((await last)[0]?.body).toBe("b");
  await stopAll([one, other]);
});

it("an aborted receive takes nothing", async () => {
  const [engine] = engines(1) as [QueueEngine];
  const queue = queueRef();
  const abort = new AbortController();
  const waiting = engine.receive(queue, { messagesMax: 10, waitMs: 20_000, signal: abort.signal });
  const sent = engine.send(queue, [{ body: "a", isText: true }]);
  abort.abort();
  expect(await waiting).toEqual([]);
  await sent;
  const received = await engine.receive(queue, { messagesMax: 10, waitMs: 20_000 });
  expect(received).toMatchObject([{ body: "a", receiveCount: 1 }]);
  await engine.stop();
});

it("a receive that is aborted while its lease is being stored gives the messages back uncounted", async () => {
  const abort = new AbortController();
  const { sql } = database;
  // The caller goes away when the statement of the lease is under way.
  const watched = Object.assign(Object.create(sql) as typeof sql, {
    query: (query: { name?: string }, ...rest: unknown[]) => {
      if (query.name === "queue_turn_records" && !abort.signal.aborted) abort.abort();
      return (sql.query as (...args: unknown[]) => unknown).call(sql, query, ...rest);
    },
  });
  const counters = new MemoryCounters(systemClock);
  const engine = createQueueEngine({ sql: watched, clock: systemClock, counters, log: pino({ level: "silent" }) });
  const queue = queueRef();
  await engine.send(queue, [{ body: "a", isText: true }]);
  expect(await engine.receive(queue, { messagesMax: 1, waitMs: 1000, signal: abort.signal })).toEqual([]);
  const received = await engine.receive(queue, { messagesMax: 1, waitMs: 20_000 });
  expect(received).toMatchObject([{ body: "a", receiveCount: 1 }]);
  await engine.stop();
});

it("a removed queue is not found in any process, and its rows go", async () => {
  const [one, other] = engines(2) as [QueueEngine, QueueEngine];
  const queue = queueRef();
  await one.send(queue, [{ body: "a", isText: true, deduplicationId: "x" }]);
  await other.figures(queue);
  await one.remove(queue.id);
  for (const engine of [one, other]) {
    await expect(engine.send(queue, [{ body: "b", isText: true }])).rejects.toMatchObject({ code: "not_found" });
    await expect(engine.figures(queue)).rejects.toMatchObject({ code: "not_found" });
  }
  const rows = async () => {
    const { rows: found } = await database.sql.query<{ count: bigint }>(
      `SELECT (SELECT count(*) FROM queue_chunks WHERE queue_id = $1) + (SELECT count(*) FROM queue_deduplications WHERE queue_id = $1)
         + (SELECT count(*) FROM queue_sweeps WHERE queue_id = $1) AS count`,
      [queue.id],
    );
    return Number(found[0]?.count);
  };
  await expect.poll(rows, { timeout: 60_000 }).toBe(0);
  await expect(other.receive(queue, { messagesMax: 1, waitMs: 0 })).rejects.toMatchObject({ code: "not_found" });
  await stopAll([one, other]);
});

it("bodies come back as they were sent, whatever they contain", async () => {
  const [engine] = engines(1) as [QueueEngine];
  const queue = queueRef();
  const texts = ["", "plain", "a\0b", "half \ud83d", "\udca9 half", "whole 💩", '"quoted"', "x".repeat(262_144)];
  for (const body of texts) await engine.send(queue, [{ body, isText: true, groupId: newId("grp", Date.now()) }]);
  await engine.send(queue, [{ body: '{"a":"\\u0000"}', isText: false }]);
  const received = await engine.receive(queue, { messagesMax: 7, waitMs: 0 });
  expect(received.map(({ body }) => body)).toEqual(texts.slice(0, IN_FLIGHT_MAX));
  await engine.acknowledge(
    queue,
    received.map(({ receipt }) => receipt),
  );
  const rest = await engine.receive(queue, { messagesMax: 7, waitMs: 0 });
  expect(rest).toMatchObject([
    { body: texts.at(-1), isText: true },
    { body: '{"a":"\\u0000"}', isText: false },
  ]);
  await engine.stop();
});
