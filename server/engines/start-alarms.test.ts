import { pino } from "pino";
import { expect, onTestFinished, test, vi } from "vitest";
import { openForFile } from "../../test/factories/open-for-file";
import { testDatabase } from "../../test/factories/postgres";
import { systemClock } from "../kernel/clock";
import { startAlarms } from "./start-alarms";

const database = await openForFile(testDatabase());

/** The rounds of one process, which run in `settle` only. */
function startProcess() {
  const alarms = startAlarms({ sql: database.sql, clock: systemClock, log: pino({ level: "silent" }), isManual: true });
  onTestFinished(() => alarms.stop());
  return alarms;
}

const runsOf = (alarms: ReturnType<typeof startAlarms>) => {
  const run = vi.fn(async () => undefined);
  alarms.add({ topic: "parcels", purpose: "send parcels", run });
  return run;
};

test("what a process announces runs in itself if it has the round", async () => {
  const alarms = startProcess();
  const run = runsOf(alarms);
  await alarms.settle();
  alarms.announce("parcels");
  await alarms.settle();
  expect(run).toHaveBeenCalledTimes(2);
});

test("else it runs in the processes that have the round, which many announcements wake once", async () => {
  const [web, worker] = [startProcess(), startProcess()];
  const run = runsOf(worker);
  await worker.settle();
  const listener = await database.sql.connect();
  const received: unknown[] = [];
  listener.on("notification", ({ payload }) => received.push(payload));
  try {
    await listener.query("LISTEN svc_rounds");
    for (let i = 0; i < 100; i++) web.announce("parcels");
    // A stop sends what has not been sent yet.
    await web.stop();
    await worker.settle();
    await listener.query("SELECT 1");
  } finally {
    listener.release(true);
  }
  expect(received.filter((topic) => topic === "parcels")).toHaveLength(1);
  expect(run).toHaveBeenCalledTimes(2);
});
