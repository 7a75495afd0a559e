import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { pino } from "pino";
import { afterAll, expect, it, vi } from "vitest";
import { addJob } from "../../../server/engines/jobs/add-job";
import { migrateJobs } from "../../../server/engines/jobs/migrate-jobs";
import { startJobs } from "../../../server/engines/jobs/start-jobs";
import { testAlarms } from "../../factories/alarms";
import { openForFile } from "../../factories/open-for-file";
import { testDatabase } from "../../factories/postgres";
import { testProgram } from "../../factories/test-program";

const children: ChildProcess[] = [];
const database = await openForFile(testDatabase());
await migrateJobs(database.sql);
const program = await testProgram(path.join(import.meta.dirname, "jobs-process.ts"));
afterAll(async () => {
  for (const child of children) child.kill("SIGKILL");
});

/** A process that has begun a job of this task. */
async function beginJob(task: string): Promise<ChildProcess> {
  await addJob(database.sql, task, {});
  const child = fork(program, [database.url, task], { execArgv: [] });
  children.push(child);
  expect(await once(child, "message")).toEqual(["began", undefined]);
  return child;
}

it("a job that a killed process had begun runs in another one, and one that a living process runs does not", async () => {
  const killed = await beginJob("killed");
  await beginJob("living");
  killed.kill("SIGKILL");
  await once(killed, "exit");
  const ran: string[] = [];
  const tasks = {
    killed: async () => void ran.push("killed"),
    living: async () => void ran.push("living"),
  };
  const alarms = testAlarms(database);
  const jobs = await startJobs({ pool: database.sql, alarms, tasks, log: pino({ level: "silent" }) });
  await vi.waitUntil(() => ran.length > 0, { timeout: 100_000 });
  const left = async () => (await database.sql.query("SELECT task_identifier FROM graphile_worker.jobs")).rows;
  await vi.waitUntil(async () => (await left()).length === 1, { timeout: 100_000 });
  expect(ran).toEqual(["killed"]);
  expect(await left()).toEqual([{ task_identifier: "living" }]);
  await jobs.stop();
});
