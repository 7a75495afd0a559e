import { describe, expect, it, vi } from "vitest";
import { testAlarms } from "../../../test/factories/alarms";
import { openForFile } from "../../../test/factories/open-for-file";
import { testDatabase } from "../../../test/factories/postgres";
import { addJob } from "./add-job";
import { migrateJobs } from "./migrate-jobs";
import { type JobsLog, startJobs, type Tasks } from "./start-jobs";

const database = await openForFile(testDatabase());
await migrateJobs(database.sql);

/** A log that records its lines. */
function testLog(): { log: JobsLog; lines: string[] } {
  const lines: string[] = [];
  const write = (level: string) => (fields: object, message: string) => {
    lines.push(`${level} ${message} ${JSON.stringify(fields)}`);
  };
  return { log: { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") }, lines };
}

const runUntil = async (tasks: Tasks, done: () => boolean | Promise<boolean>, log = testLog().log): Promise<void> => {
  const worker = await startJobs({ pool: database.sql, alarms: testAlarms(database), tasks, log });
  try {
    await vi.waitUntil(done, { timeout: 60_000, interval: 20 });
  } finally {
    await worker.stop();
  }
};

const jobsLeft = async (): Promise<number> =>
  Number((await database.sql.query("select count(*) as n from graphile_worker.jobs")).rows[0].n);

describe("jobs", () => {
  it("migrates when several processes start at once, and changes nothing when repeated", async () => {
    await Promise.all([migrateJobs(database.sql), migrateJobs(database.sql), migrateJobs(database.sql)]);
    await migrateJobs(database.sql);
    expect(await jobsLeft()).toBe(0);
  });

  it("runs a job when the transaction that caused it commits, and never when it rolls back", async () => {
    const ran: unknown[] = [];
    await database.db
      .$transaction(async (tx) => {
        await addJob(tx, "greet", { name: "rolled back" });
        throw new Error("no");
      })
      .catch(() => undefined);
    await database.db.$transaction((tx) => addJob(tx, "greet", { name: "committed" }));
    await addJob(database.sql, "greet", { name: "by the pool" });
    const greet = async (payload: unknown) => {
      ran.push(payload);
    };
    await runUntil({ greet }, async () => ran.length >= 2 && (await jobsLeft()) === 0);
    expect(ran).toHaveLength(2);
    expect(ran).toEqual(expect.arrayContaining([{ name: "committed" }, { name: "by the pool" }]));
  });

  it("runs a job again after it failed, and marks the last run", async () => {
    const runs: boolean[] = [];
    const flaky = async (_payload: unknown, { isLast }: { isLast: boolean }) => {
      runs.push(isLast);
      if (runs.length < 2) throw new Error("try again");
    };
    await addJob(database.db, { task: "flaky", attemptsMax: 2 }, {});
    await runUntil({ flaky }, async () => runs.length === 2 && (await jobsLeft()) === 0);
    expect(runs).toEqual([false, true]);
  });

  it("keeps one waiting job per key", async () => {
    const runAt = new Date(Date.now() + 3_600_000);
    await addJob(database.db, { task: "once", key: "k", runAt }, { n: 1 });
    await addJob(database.sql, { task: "once", key: "k", runAt }, { n: 2 });
    expect(await jobsLeft()).toBe(1);
    await database.sql.query("select graphile_worker.remove_job('k')");
  });

  it("writes nothing to the console, and no payload to the log", async () => {
    const write = vi.spyOn(console, "warn");
    const { log, lines } = testLog();
    let ran = false;
    const quiet = async () => {
      ran = true;
      throw new Error("refused");
    };
    await addJob(database.db, { task: "quiet", attemptsMax: 1 }, { secret: "s3cret" });
    await runUntil({ quiet }, () => ran && lines.some((line) => line.startsWith("error")), log);
    expect(lines.join("\n")).not.toContain("s3cret");
    expect(write).not.toHaveBeenCalled();
  });

  it("adds each minute those tasks that have work", async () => {
    await database.sql.query("CREATE TABLE parcels AS SELECT 1 AS id");
    const ran = new Set<string>();
    const tasks: Tasks = { send: async () => void ran.add("send"), rest: async () => void ran.add("rest") };
    const everyMinute = { send: "SELECT FROM parcels", rest: "SELECT FROM parcels WHERE id > 1" };
    const parts = { pool: database.sql, alarms: testAlarms(database), log: testLog().log };
    const worker = await startJobs({ ...parts, tasks, everyMinute });
    try {
      await addJob(database.sql, "every_minute", {});
      const left = "SELECT FROM graphile_worker.jobs WHERE task_identifier IN ('every_minute', 'send', 'rest')";
      const areDone = async () => ran.size > 0 && (await database.sql.query(left)).rowCount === 0;
      await vi.waitUntil(areDone, { timeout: 60_000, interval: 20 });
    } finally {
      await worker.stop();
    }
    expect([...ran]).toEqual(["send"]);
  });

  it("recovers after its connections were cut", async () => {
    let runs = 0;
    const again = async () => {
      runs++;
    };
    const worker = await startJobs({
      pool: database.sql,
      alarms: testAlarms(database),
      tasks: { again },
      log: testLog().log,
    });
    await addJob(database.db, "again", {});
    await vi.waitUntil(() => runs === 1, { timeout: 60_000 });
    await database.sql.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
    );
    await vi.waitUntil(
      () =>
        addJob(database.sql, "again", {}).then(
          () => true,
          () => false,
        ),
      { timeout: 60_000 },
    );
    await vi.waitUntil(() => runs >= 2, { timeout: 60_000 });
    await worker.stop();
  });

  it("goes on after the process was blocked for 15 s while jobs ran and were added", async () => {
    let runs = 0;
    const again = async () => {
      runs++;
      await database.sql.query("SELECT pg_sleep(0.01)");
    };
    const everyMinute = { again: "SELECT 1" };
    const parts = { pool: database.sql, alarms: testAlarms(database), log: testLog().log };
    const worker = await startJobs({ ...parts, tasks: { again }, everyMinute });
    for (let n = 0; n < 20; n++) await addJob(database.sql, "again", {});
    await vi.waitUntil(() => runs > 0, { timeout: 60_000 });
    const adding = Array.from({ length: 20 }, () => addJob(database.sql, "again", {}).catch(() => undefined));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 15_000);
    const before = runs;
    await Promise.all(adding);
    await addJob(database.sql, "again", {});
    const left = "SELECT FROM graphile_worker.jobs WHERE task_identifier = 'again'";
    const areDone = async () => runs > before && (await database.sql.query(left)).rowCount === 0;
    await vi.waitUntil(areDone, { timeout: 60_000 });
    await worker.stop();
  });

  it("goes on after the outcome of a job could not be stored", async () => {
    let runs = 0;
    const last = async () => {
      runs++;
      if (runs === 1) await database.sql.query("alter table graphile_worker._private_jobs rename to hidden_jobs");
    };
    const { log, lines } = testLog();
    await addJob(database.db, "last", {});
    const worker = await startJobs({ pool: database.sql, alarms: testAlarms(database), tasks: { last }, log });
    await vi.waitUntil(() => lines.some((line) => line.includes("Failed to complete jobs")), { timeout: 60_000 });
    await database.sql.query("alter table graphile_worker.hidden_jobs rename to _private_jobs");
    // The job itself runs again, whose outcome is not known.
    await vi.waitUntil(() => runs === 2, { timeout: 60_000 });
    await addJob(database.db, "last", {});
    await vi.waitUntil(() => runs === 3, { timeout: 60_000 });
    await worker.stop();
  });

  it("installs no signal handlers", async () => {
    const before = process.listenerCount("SIGTERM");
    const worker = await startJobs({ pool: database.sql, alarms: testAlarms(database), tasks: {}, log: testLog().log });
    expect(process.listenerCount("SIGTERM")).toBe(before);
    await worker.stop();
  });
});
