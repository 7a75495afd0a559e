import { EventEmitter } from "node:events";
import { setTimeout } from "node:timers/promises";
import { Logger, run, type TaskList, type WorkerEvents, type WorkerPool } from "graphile-worker";
import type { Pool } from "pg";
import type { StartedAlarms } from "../start-alarms";
import { createJobsPool } from "./create-jobs-pool";
import { showAlive, unlockJobsOf, unlockLostJobs } from "./lost-jobs";

const CONCURRENCY_DEFAULT = 4;
/** Jobs that are added, or become due, wake the worker, and the alarms' safety net finds what no wake-up told. */
const POLL_INTERVAL_MS = 300_000;
const EVERY_MINUTE = "every_minute";
const RESTART_MS = 2000;
/** How often jobs that a killed process had begun are looked for. */
const LOST_LOOK_MS = 60_000;
/** How long a runner that could not store an outcome may take to end. */
const END_MS = 10_000;
/** One connection to listen on, one for the schedule. */
const EXTRA_CONNECTIONS = 2;

/** One run of a job; if it throws, the job runs again later. */
export type Task = (payload: unknown, run: JobRun) => Promise<void>;
export type Tasks = Readonly<Record<string, Task>>;

interface JobRun {
  /** This is the last attempt. */
  isLast: boolean;
}

/** The log of the worker; compatible with a pino logger. */
export interface JobsLog {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

interface StartJobs {
  /** The database of the jobs; the worker opens up to `concurrency` + 2 connections of its own to it. */
  pool: Pool;
  /** Wakes the worker when a job is due. */
  alarms: Pick<StartedAlarms, "add">;
  tasks: Tasks;
  log: JobsLog;
  /** Lines in graphile-worker's crontab format, in UTC. */
  crontab?: string;
  /** Tasks that run each minute in which they have work. */
  everyMinute?: MinuteTasks;
  /** How many jobs run concurrently in this process. */
  concurrency?: number;
}

/** The queries that tell whether tasks have work: each finds a row if the task of its name has. */
export type MinuteTasks = Readonly<Record<string, string>>;

interface RunningJobs {
  /** Accepts no more jobs and waits for the running ones. */
  stop(): Promise<void>;
}

/**
 * Runs jobs until `stop`; any number of processes may do so. While Postgres is unavailable the worker keeps retrying;
 * only the first start throws.
 */
export async function startJobs(options: StartJobs): Promise<RunningJobs> {
  const stopping = new AbortController();
  let runner = await startRunner(options);
  const waking = options.alarms.add({
    topic: "jobs",
    purpose: "wake the worker of jobs",
    nextDue: NEXT_JOB,
    // A job that all workers are too busy for stays due, and is taken when one of them is free.
    run: async () => runner.nudge(),
  });
  const looking = options.alarms.add({
    topic: "lost-jobs",
    purpose: "unlock the jobs of killed processes",
    everyMs: LOST_LOOK_MS,
    run: (signal) => unlockLostJobs(options.pool, signal),
  });
  const running = (async () => {
    const ended = new Set<string>();
    while (!stopping.signal.aborted) {
      if (runner.id !== undefined) ended.add(runner.id);
      await runner.ended.catch((cause: unknown) => options.log.error({ err: cause }, "The job worker stopped."));
      if (stopping.signal.aborted) return;
      await setTimeout(RESTART_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (!stopping.signal.aborted) runner = await restartRunner(options, ended).catch(failedRunner);
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await Promise.all([waking.stop(), looking.stop()]);
      await runner.stop();
      await running;
      await runner.stop();
    },
  };
}

const NEXT_JOB = "SELECT min(run_at) FROM graphile_worker._private_jobs WHERE is_available";

/** Starts the next runner, and makes the jobs available again that the `ended` ones had begun. */
async function restartRunner(options: StartJobs, ended: Set<string>): Promise<JobRunner> {
  const ids = [...ended];
  await unlockJobsOf(options.pool, ids);
  for (const id of ids) ended.delete(id);
  return startRunner(options);
}

interface JobRunner {
  /** What locks the jobs that it runs; undefined: it never started. */
  id: string | undefined;
  ended: Promise<void>;
  /** Makes the worker look for jobs at once. */
  nudge(): void;
  stop(): Promise<void>;
}

async function startRunner({
  pool,
  tasks,
  log,
  crontab = "",
  everyMinute = {},
  concurrency = CONCURRENCY_DEFAULT,
}: StartJobs): Promise<JobRunner> {
  const own = createJobsPool(pool, concurrency + EXTRA_CONNECTIONS);
  const events: WorkerEvents = new EventEmitter();
  const taskList = taskListOf({ ...tasks, [EVERY_MINUTE]: () => addMinuteJobs(pool, everyMinute) });
  let workers: WorkerPool | undefined;
  events.once("pool:create", ({ workerPool }) => {
    workers = workerPool;
  });
  // Graphile keeps this connection for as long as the runner lasts, and replaces it when it is cut. Its own query comes first.
  events.on("pool:listen:success", ({ workerPool, client }) => {
    client.once("drain", () => {
      showAlive(client, workerPool.id).catch((err: unknown) =>
        log.warn({ err }, "The job worker cannot show that it is alive."),
      );
    });
  });
  try {
    // With batches, an outcome that Postgres does not store ends the runner, which is started again. Without them it would
    // be an unhandled rejection, which ends the process.
    const runner = await run({
      pgPool: own,
      events,
      taskList,
      crontab: [crontab, `* * * * * ${EVERY_MINUTE}`].join("\n"),
      concurrency,
      pollInterval: POLL_INTERVAL_MS,
      noHandleSignals: true,
      logger: loggerOf(log),
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    });
    // A runner that ended by itself throws when it is stopped.
    const stop = () => runner.stop().catch(() => undefined);
    // A runner that does not end after a failure must not keep the next one from starting.
    const stuck = new Promise<never>((_, reject) => {
      const late = () => reject(new Error("The job worker did not end after a failure."));
      runner.events.once("pool:fatalError", () => globalThis.setTimeout(late, END_MS).unref());
    });
    const end = () => Promise.race([own.end(), setTimeout(END_MS, undefined, { ref: false })]);
    const ended = Promise.race([runner.promise, stuck]).finally(() => {
      workers = undefined;
      // Graphile keeps the options of a runner for as long as the process lasts.
      for (const name of Object.keys(taskList)) delete taskList[name];
      return end();
    });
    return { id: workers?.id, ended, stop, nudge: () => nudge(workers, concurrency) };
  } catch (cause) {
    await own.end();
    throw cause;
  }
}

/** Adds a job of each task that has work; one of the same task that waits still is replaced. */
async function addMinuteJobs(pool: Pool, everyMinute: MinuteTasks): Promise<void> {
  const wanted = Object.entries(everyMinute).map(([task, query]) => `SELECT '${task}' AS task WHERE EXISTS (${query})`);
  if (wanted.length === 0) return;
  await pool.query(
    `SELECT graphile_worker.add_job(task, '{}'::json, job_key => task) FROM (${wanted.join(" UNION ALL ")}) AS wanted`,
  );
}

function failedRunner(cause: unknown): JobRunner {
  const ended = Promise.reject(cause);
  // It is not awaited when jobs are stopped at this moment.
  ended.catch(() => undefined);
  return { id: undefined, ended, stop: async () => undefined, nudge: () => undefined };
}

/** A worker that ends throws: its jobs are those of the next one. */
function nudge(workers: WorkerPool | undefined, concurrency: number): void {
  try {
    workers?.nudge(concurrency);
  } catch {}
}

function taskListOf(tasks: Tasks): TaskList {
  const entries = Object.entries(tasks).map(([name, task]) => [
    name,
    (payload: unknown, { job }: { job: { attempts: number; max_attempts: number } }) =>
      task(payload, { isLast: job.attempts >= job.max_attempts }),
  ]);
  return Object.fromEntries(entries) as TaskList;
}

/** Graphile's `meta` contains whole jobs with their payloads, so only the message and the scope are passed on. */
const loggerOf = (log: JobsLog): Logger =>
  new Logger((scope) => (level, message) => {
    const write = level === "warning" ? "warn" : level === "error" || level === "debug" ? level : "debug";
    log[write]({ job: scope }, message);
  });
