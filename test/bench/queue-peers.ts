import { Logger, makeWorkerUtils, run } from "graphile-worker";
import { Pool } from "pg";
import { importPeer } from "./peer-package";
import { BATCH, type Figure, measure, timed } from "./queue-figures";

interface BullJob {
  name: string;
  data: unknown;
  opts: { removeOnComplete: boolean };
}

interface BullMq {
  Queue: new (
    name: string,
    options: object,
  ) => {
    add: (name: string, data: unknown) => Promise<unknown>;
    addBulk: (jobs: BullJob[]) => Promise<unknown[]>;
    close: () => Promise<void>;
  };
  Worker: new (
    name: string,
    work: () => Promise<void>,
    options: object,
  ) => {
    waitUntilReady: () => Promise<unknown>;
    run: () => Promise<void>;
    close: (force: boolean) => Promise<void>;
  };
}

interface Row {
  rowMs: number;
  body: string;
}

/** A line per job would slow it down. */
const logger = new Logger(() => () => undefined);

/** graphile-worker's fastest way to add jobs. */
export async function graphileSends(url: string, { rowMs, senders, body }: Row & { senders: number }): Promise<Figure> {
  const pool = new Pool({ connectionString: url, max: 10 });
  const utils = await makeWorkerUtils({ pgPool: pool, logger });
  await utils.migrate();
  const payload = JSON.parse(body) as unknown;
  const specs = Array.from({ length: BATCH }, () => ({ identifier: "bench", payload }));
  const figure = await measure(senders, rowMs, async () => (await utils.addJobs(specs)).length);
  await utils.release();
  await pool.end();
  return figure;
}

/**
 * The jobs that `graphileSends` left, worked with the settings that its documentation names for throughput. Those of
 * earlier rows are deleted, because its job rate drops by several times in a table of several hundred thousand jobs.
 */
export async function graphileWork(url: string, { rowMs, body }: Row): Promise<Figure> {
  const pool = new Pool({ connectionString: url, max: 30 });
  await pool.query("TRUNCATE graphile_worker._private_jobs");
  await graphileSends(url, { rowMs: rowMs * 2, senders: 4, body });
  let count = 0;
  const runner = await run({
    pgPool: pool,
    logger,
    concurrency: 24,
    noHandleSignals: true,
    taskList: { bench: async () => void count++ },
    preset: {
      worker: {
        concurrentJobs: 24,
        maxPoolSize: 30,
        pollInterval: 2000,
        localQueue: { size: 500, refetchDelay: { durationMs: 10 } },
        completeJobBatchDelay: 0,
        failJobBatchDelay: 0,
      },
    },
  });
  const figure = await countFor(rowMs, () => count);
  await runner.stop();
  await pool.end();
  return figure;
}

export async function bullSends(url: string, { rowMs, senders, body }: Row & { senders: number }): Promise<Figure> {
  const { Queue } = await importPeer<BullMq>("bullmq");
  const queue = new Queue("singles", { connection: { url } });
  const payload = JSON.parse(body) as unknown;
  const figure = await measure(senders, rowMs, async () => {
    await queue.add("bench", payload);
    return 1;
  });
  await queue.close();
  return figure;
}

export async function bullWork(url: string, { rowMs, body }: Row): Promise<Figure> {
  const { Queue, Worker } = await importPeer<BullMq>("bullmq");
  const queue = new Queue("work", { connection: { url } });
  const data = JSON.parse(body) as unknown;
  const jobs = Array.from({ length: 500 }, () => ({ name: "bench", data, opts: { removeOnComplete: true } }));
  await measure(4, rowMs * 2, async () => (await queue.addBulk(jobs)).length);
  let count = 0;
  const worker = new Worker("work", async () => void count++, {
    connection: { url },
    concurrency: 100,
    autorun: false,
  });
  await worker.waitUntilReady();
  void worker.run();
  const figure = await countFor(rowMs, () => count);
  await worker.close(true);
  await queue.close();
  return figure;
}

/** How much a counter grows in this time. */
function countFor(ms: number, counter: () => number): Promise<Figure> {
  return timed(async () => {
    const before = counter();
    await new Promise((resolve) => setTimeout(resolve, ms));
    return counter() - before;
  });
}
