import { mkdtemp, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import path from "node:path";
import { Client, type Pool } from "pg";
import pino from "pino";
import { createQueueEngine } from "../../server/cloud/data/queue-log/create-queue-engine";
import type { QueueEngine, QueueRef } from "../../server/cloud/data/queue-log/queue-engine";
import { MemoryCounters } from "../../server/engines/counters/memory-counters";
import { connectPostgres } from "../../server/engines/postgres/connect-postgres";
import { deployMigrations } from "../../server/engines/postgres/deploy-migrations";
import { startPostgres } from "../../server/engines/postgres/start-postgres";
import { systemClock } from "../../server/kernel/clock";
import { newId } from "../../server/kernel/ids";
import { hasRedisServer, startRedisServer } from "../contract/redis-server";
import { added, BATCH, cpuOf, type Figure, measure, perSecond, sideBySide, timed } from "./queue-figures";
import { bullSends, bullWork, graphileSends, graphileWork } from "./queue-peers";
import { SkipLockedTable } from "./skip-locked";

const rootDir = process.cwd();
const BODY = JSON.stringify({ pad: "x".repeat(1014) });
const SENDERS = 4;
const SINGLE_SENDERS = 16;
const CONSUMERS = 8;
const GROUPS = 64;
const WAKE_UPS = 300;

/**
 * Durable queues beside graphile-worker and a table with SKIP LOCKED on the same Postgres and BullMQ on a Redis that syncs
 * every write. SVC_BENCH_QUEUE_MS: the length of a row (default 5,000); SVC_BENCH_SNAPSHOT_S: how long a snapshot is held
 * (60); SVC_BENCH_IN_FLIGHT: how many messages are in flight in the rows beside the table (100,000); SVC_BENCH_QUEUE_ROWS:
 * "in-flight" for these rows only.
 */
export async function run(print: (line: string) => void): Promise<void> {
  const rowMs = Number(process.env.SVC_BENCH_QUEUE_MS ?? 5000);
  const snapshotS = Number(process.env.SVC_BENCH_SNAPSHOT_S ?? 60);
  print(
    `queues: bodies of ${BODY.length} bytes, ${rowMs / 1000} s a row, ${cpus().length} cores, Node ${process.version};`,
  );
  print(`all of it in one process beside its engines, every write synced to the disk\n`);
  const dir = await mkdtemp(path.join(tmpdir(), "svc-queues-"));
  const postgres = await startPostgres({ rootDir, dataDir: dir });
  await deployMigrations(postgres.url, rootDir);
  const redis = hasRedisServer() ? await startRedisServer({ isDurable: true }) : undefined;
  if (!redis) print("BullMQ: not measured, redis-server is not installed");
  const { sql, close } = connectPostgres(postgres.url);
  const engine = createQueueEngine({ sql, clock: systemClock, counters: new MemoryCounters(systemClock), log });
  const table = tableOf(print);
  try {
    await besideTable({ engine, sql, rowMs, table });
    if (process.env.SVC_BENCH_QUEUE_ROWS === "in-flight") return;
    const queue = queueRef();
    const ours = { sends: () => measure(SENDERS, rowMs, (i) => sendBatch(engine, queue, i)) };
    const work = { rowMs, body: BODY };
    const { url } = postgres;
    const sends = await sideBySide({
      ours: ours.sends,
      "graphile addJobs": () => graphileSends(url, { ...work, senders: SENDERS }),
    });
    table("send, batches of 100", sends);
    const singles = {
      ours: () => measure(SINGLE_SENDERS, rowMs, (i) => sendOne(engine, queueOfSingles, i)),
      "BullMQ add": redis && (() => bullSends(redis.url, { ...work, senders: SINGLE_SENDERS })),
    };
    table(`send, single, ${SINGLE_SENDERS} at once`, await sideBySide(singles));
    const free = await sideBySide({
      ours: () => consume(engine, queue, rowMs),
      graphile: () => graphileWork(url, work),
      BullMQ: redis && (() => bullWork(redis.url, work)),
    });
    table("receive + acknowledge, batches of 100", free);
    const held = await withSnapshot(url, () => consume(engine, queueRef(), snapshotS * 1000));
    const after = await consume(engine, queueRef(), rowMs);
    table(`the same, a snapshot held for ${snapshotS} s`, { ours: held, "without it, after": after });
    const heldSends = await withSnapshot(url, ours.sends);
    table("send, batches of 100, a snapshot held", { ours: heldSends, "without it, after": await ours.sends() });
    print(await wakeUps(engine));
  } finally {
    await engine.stop();
    await close();
    await redis?.close();
    await postgres.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

const log = pino({ level: "warn" });
const queueRef = (): QueueRef => ({
  id: newId("que", Date.now()),
  visibilityTimeoutMs: 30_000,
  retentionMs: 86_400_000,
  maxReceives: 1000,
});
const queueOfSingles = queueRef();

async function sendBatch(engine: QueueEngine, queue: QueueRef, n: number): Promise<number> {
  const messages = Array.from({ length: BATCH }, (_, i) => ({
    body: BODY,
    isText: false,
    groupId: `g${(n * BATCH + i) % GROUPS}`,
  }));
  return (await engine.send(queue, messages)).length;
}

const sendOne = async (engine: QueueEngine, queue: QueueRef, n: number): Promise<number> =>
  (await engine.send(queue, [{ body: BODY, isText: false, groupId: `g${n % GROUPS}` }])).length;

/** Receives and acknowledges for `ms`; while too little is left, the queue is filled again outside the measured time. */
async function consume(engine: QueueEngine, queue: QueueRef, ms: number): Promise<Figure> {
  let [total, sent]: [Figure | undefined, number] = [undefined, 0];
  while ((total?.ms ?? 0) < ms) {
    for (let left = 600; left > 0; left -= SENDERS) {
      await Promise.all(Array.from({ length: SENDERS }, () => sendBatch(engine, queue, sent++)));
    }
    const end = performance.now() + ms - (total?.ms ?? 0);
    total = added(total, await timed(() => consumeUntil(engine, queue, end)));
  }
  return total ?? { count: 0, ms, cpuMs: 0 };
}

async function consumeUntil(engine: QueueEngine, queue: QueueRef, end: number): Promise<number> {
  let count = 0;
  const consumer = async () => {
    while (performance.now() < end) {
      const messages = await engine.receive(queue, { messagesMax: BATCH, waitMs: 0 });
      if (messages.length === 0) return;
      await engine.acknowledge(
        queue,
        messages.map(({ receipt }) => receipt),
      );
      count += messages.length;
    }
  };
  await Promise.all(Array.from({ length: CONSUMERS }, consumer));
  return count;
}

/** Far longer than the bench takes. */
const IN_FLIGHT_MS = 12 * 3_600_000;

interface BesideTable {
  engine: QueueEngine;
  sql: Pool;
  rowMs: number;
  table: ReturnType<typeof tableOf>;
}

/** Sends, receives and acknowledges while many messages are in flight, each of a group of its own. */
async function besideTable({ engine, sql, rowMs, table }: BesideTable): Promise<void> {
  const inFlight = Number(process.env.SVC_BENCH_IN_FLIGHT ?? 100_000);
  const queue = { ...queueRef(), visibilityTimeoutMs: IN_FLIGHT_MS };
  const peer = new SkipLockedTable(sql);
  await peer.create();
  let next = 0;
  const send = async () => {
    const messages = Array.from({ length: BATCH }, () => ({ body: BODY, isText: false, groupId: `g${next++}` }));
    return (await engine.send(queue, messages)).length;
  };
  const receive = () => engine.receive(queue, { messagesMax: BATCH, waitMs: 0 });
  const rows = {
    ours: () =>
      measure(CONSUMERS, rowMs, async () => {
        await send();
        const messages = await receive();
        await engine.acknowledge(
          queue,
          messages.map(({ receipt }) => receipt),
        );
        return messages.length;
      }),
    "SKIP LOCKED table": () =>
      measure(CONSUMERS, rowMs, async () => {
        await peer.send(BODY, BATCH);
        const ids = await peer.receive(IN_FLIGHT_MS);
        await peer.acknowledge(ids);
        return ids.length;
      }),
  };
  table("send + receive + ack, none in flight", await sideBySide(rows));
  const took: Record<string, Figure> = {
    ours: await timed(() =>
      untilCount(inFlight, async () => {
        await send();
        return (await receive()).length;
      }),
    ),
    "SKIP LOCKED table": await timed(() =>
      untilCount(inFlight, async () => {
        await peer.send(BODY, BATCH);
        return (await peer.receive(IN_FLIGHT_MS)).length;
      }),
    ),
  };
  table(`send + receive, to ${inFlight.toLocaleString("en")} in flight`, took);
  table("send + receive + ack, with these", await sideBySide(rows));
}

/** Calls `step` from a few loops until its results add up to `count`. */
async function untilCount(count: number, step: () => Promise<number>): Promise<number> {
  let done = 0;
  await Promise.all(
    Array.from({ length: SENDERS }, async () => {
      while (done < count) {
        const more = await step();
        done += more;
      }
    }),
  );
  return done;
}

/** Runs `work` while another transaction holds a snapshot, which keeps dead rows from being removed. */
async function withSnapshot<T>(url: string, work: () => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ");
  await client.query("SELECT count(*) FROM queue_sweeps");
  try {
    return await work();
  } finally {
    await client.query("COMMIT");
    await client.end();
  }
}

/** The time from the begin of a send to the receive that waits for it. */
async function wakeUps(engine: QueueEngine): Promise<string> {
  const queue = queueRef();
  const times: number[] = [];
  for (let i = 0; i < WAKE_UPS; i++) {
    const received = engine.receive(queue, { messagesMax: 1, waitMs: 20_000 });
    await new Promise((resolve) => setTimeout(resolve, 5 + (i % 10)));
    const start = performance.now();
    await engine.send(queue, [{ body: BODY, isText: false }]);
    const [message] = await received;
    times.push(performance.now() - start);
    if (message) await engine.acknowledge(queue, [message.receipt]);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => (times[Math.floor((times.length - 1) * share)] ?? 0).toFixed(1);
  return `wake-up of a waiting receive, from the begin of the send: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms (${WAKE_UPS} times)`;
}

function tableOf(print: (line: string) => void) {
  print(
    "what                                     | by                   |  messages/s | ratio | CPU µs per message, all processes",
  );
  return (what: string, { ours, ...peers }: Record<string, Figure | undefined>) => {
    if (!ours) return;
    print(`${what.padEnd(40)} | svc                  | ${perSecond(ours)} |       | ${cpuOf(ours)}`);
    for (const [name, peer] of Object.entries(peers)) {
      if (!peer) continue;
      const ratio = ours.count / ours.ms / (peer.count / peer.ms);
      print(`${"".padEnd(40)} | ${name.padEnd(20)} | ${perSecond(peer)} |  ${ratio.toFixed(2)} | ${cpuOf(peer)}`);
    }
  };
}
