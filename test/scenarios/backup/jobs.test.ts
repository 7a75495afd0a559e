import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addJob } from "../../../server/engines/jobs/add-job";
import { migrateJobs } from "../../../server/engines/jobs/migrate-jobs";
import { type JobsLog, startJobs } from "../../../server/engines/jobs/start-jobs";
import { createMail } from "../../../server/engines/mail/mail";
import { connectPostgres, type PostgresConnection } from "../../../server/engines/postgres/connect-postgres";
import { systemClock } from "../../../server/kernel/clock";
import { createBackup } from "../../../server/operators/backup/create-backup";
import type { Installation } from "../../../server/operators/backup/installation";
import type { Manifest } from "../../../server/operators/backup/manifest";
import { restoreBackup } from "../../../server/operators/backup/restore-backup";
import { testAlarms } from "../../factories/alarms";
import { eventually } from "../../factories/app";
import { type TestClickHouse, testClickHouse } from "../../factories/clickhouse";
import { emptyDatabase, type TestDatabase, testDatabase } from "../../factories/postgres";
import { type SmtpServer, smtpServer } from "../../factories/smtp";

const rootDir = path.resolve(import.meta.dirname, "../../..");
const SILENT: JobsLog = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const TOMORROW = new Date("2100-01-01T00:00:00.000Z");
const progress = () => undefined;

interface WaitingJob {
  task: string;
  key: string | null;
  queue: string | null;
  runAt: Date;
  attemptsLeft: number;
}

async function waitingJobs({ sql }: Pick<PostgresConnection, "sql">): Promise<WaitingJob[]> {
  const { rows } = await sql.query<WaitingJob>(
    `SELECT task_identifier AS task, key, queue_name AS queue, run_at AS "runAt", max_attempts - attempts AS "attemptsLeft"
     FROM graphile_worker.jobs ORDER BY id`,
  );
  return rows;
}

describe("jobs that wait when a backup is made", () => {
  let base: string;
  let smtp: SmtpServer;
  let database: TestDatabase;
  let target: Awaited<ReturnType<typeof emptyDatabase>>;
  let engines: TestClickHouse[];
  let restored: PostgresConnection;
  let manifest: Manifest;
  beforeAll(async () => {
    base = mkdtempSync(path.join(os.tmpdir(), "svc-backup-jobs-"));
    [smtp, database, target, engines] = await Promise.all([
      smtpServer(),
      testDatabase(),
      emptyDatabase(),
      Promise.all([testClickHouse(), testClickHouse()]),
    ]);
    restored = connectPostgres(target.url, { poolMax: 4 });
    await migrateJobs(database.sql);
  });
  afterAll(async () => {
    await restored?.close();
    await Promise.all([database.close(), target.close(), smtp.close(), ...engines.map((engine) => engine.close())]);
    rmSync(base, { recursive: true, force: true });
  });

  const installation = (name: string, databaseUrl: string, clickhouse: TestClickHouse | undefined): Installation => ({
    rootDir,
    dataDir: path.join(base, name),
    secret: "s".repeat(43),
    databaseUrl,
    redisUrl: undefined,
    clickhouseUrl: clickhouse?.url,
    retentionRawDays: 400,
    retentionRollupDays: 1825,
  });
  const mailOf = ({ db }: Pick<PostgresConnection, "db">) =>
    createMail({ db, clock: systemClock, from: "svc <no-reply@svc.example>", isLoopback: false, smtpUrl: smtp.url });

  /** Mail that was not sent, timed work, one job that failed before, one under way, and one that was given up. */
  async function addJobs(): Promise<void> {
    const mail = { to: "ada@example.com", subject: "Waiting", text: "hello", tenantId: null };
    await database.db.$transaction((tx) => mailOf(database).send(tx, mail));
    await addJob(database.sql, { task: "timed", key: "one", runAt: TOMORROW }, {});
    await addJob(database.sql, { task: "given_up", attemptsMax: 1 }, {});
    await addJob(database.sql, { task: "tried", attemptsMax: 5, runAt: TOMORROW }, { text: "tab\t and \\ and \n" });
    await addJob(database.sql, { task: "running", attemptsMax: 3 }, {});
    await database.sql.query("SELECT graphile_worker.add_job('queued', queue_name => 'line', priority => 7)::text");
    const change = (task: string, fields: string) =>
      database.sql.query(`UPDATE graphile_worker._private_jobs j SET ${fields}
        FROM graphile_worker._private_tasks t WHERE t.id = j.task_id AND t.identifier = '${task}'`);
    await change("given_up", "attempts = 1");
    await change("tried", "attempts = 2");
    await change("running", "attempts = 3, locked_at = now(), locked_by = 'a worker'");
  }

  it("come back with their time, key, queue and the attempts that are left; one that was given up does not", async () => {
    await addJobs();
    const folder = path.join(base, "backup");
    await createBackup({ installation: installation("data", database.url, engines[0]), folder, progress });
    manifest = await restoreBackup({
      installation: installation("restored", target.url, engines[1]),
      folder,
      progress,
    });
    expect(manifest.postgres.jobs?.rows).toBe(5);
    const kept = { key: null, queue: null, runAt: expect.any(Date) };
    expect(await waitingJobs(restored)).toEqual([
      { ...kept, task: "send_email", attemptsLeft: 8 },
      { ...kept, task: "timed", key: "one", runAt: TOMORROW, attemptsLeft: 25 },
      { ...kept, task: "tried", runAt: TOMORROW, attemptsLeft: 3 },
      { ...kept, task: "running", attemptsLeft: 1 },
      { ...kept, task: "queued", queue: "line", attemptsLeft: 25 },
    ]);
  }, 300_000);

  it("run once after the restore: a mail is sent once, with what the job was given", async () => {
    const ran: [string, unknown][] = [];
    const noted = (name: string) => [name, async (payload: unknown) => void ran.push([name, payload])] as const;
    const tasks = {
      ...mailOf(restored).tasks,
      ...Object.fromEntries(["timed", "tried", "running", "queued"].map(noted)),
    };
    await restored.sql.query(
      "UPDATE graphile_worker._private_jobs SET run_at = now() WHERE key = 'one' OR attempts = 0",
    );
    const workers = await Promise.all(
      [1, 2].map(() => startJobs({ pool: restored.sql, alarms: testAlarms(restored), tasks, log: SILENT })),
    );
    try {
      await eventually(async () => (await waitingJobs(restored)).length === 0, 60_000);
      // A second run of anything would come at once.
      await sleep(500);
    } finally {
      for (const worker of workers) await worker.stop();
    }
    expect(ran.toSorted()).toEqual([
      ["queued", {}],
      ["running", {}],
      ["timed", {}],
      ["tried", { text: "tab\t and \\ and \n" }],
    ]);
    expect(smtp.received).toHaveLength(1);
    const [email] = await restored.db.email.findMany();
    // The same in every installation that sends it, so that a mailbox can drop the second one.
    expect(smtp.received[0]).toContain(`Message-ID: <${email?.id}@svc.example>`);
  }, 300_000);
});
