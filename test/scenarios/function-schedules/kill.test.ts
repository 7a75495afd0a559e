import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { afterAll, expect, it, vi } from "vitest";
import { openForFile } from "../../factories/open-for-file";
import { testDatabase } from "../../factories/postgres";
import { testProgram } from "../../factories/test-program";

const WITHIN = { timeout: 30_000, interval: 20 };
const MINUTE_MS = 60_000;
const FIRST = Date.parse("2026-05-01T10:00:00Z");
const FUNCTION = { id: "fnc_1", tenantId: "ten_1", projectId: "prj_1", mode: "live", name: "hourly" } as const;

const children: ChildProcess[] = [];
const database = await openForFile(testDatabase());
const program = await testProgram(path.join(import.meta.dirname, "scheduling-process.ts"));
const at = new Date(FIRST);
await database.db.cloudFunction.create({
  data: {
    ...FUNCTION,
    version: 1,
    env: {},
    timeoutMs: 1000,
    concurrencyMax: 1,
    createdAt: at,
    updatedAt: at,
    schedule: JSON.stringify({ cron: "* * * * *", timezone: "UTC", payload: null }),
    nextRunAt: at,
  },
});
afterAll(async () => {
  for (const child of children) await kill(child);
});

function start(): ChildProcess {
  const child = fork(program, [database.url]);
  children.push(child);
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, "exit");
  child.kill("SIGKILL");
  await exit;
}

async function begin(child: ChildProcess, now: number): Promise<void> {
  const begun = once(child, "message");
  child.send(now);
  await begun;
}

/** How many invocations each time has, so far. */
async function invocations(): Promise<Record<string, number>> {
  const { rows } = await database.sql.query<{ minute: number; count: number }>(
    "SELECT extract(minute FROM scheduled_at)::int AS minute, count(*)::int AS count FROM function_invocations GROUP BY 1",
  );
  return Object.fromEntries(rows.map(({ minute, count }) => [minute, count]));
}

/** A time is left out while the invocation of an earlier one waits or runs. */
const endAll = () => database.sql.query("UPDATE function_invocations SET status = 'succeeded', ended_at = now()");

it("each time of a schedule has one invocation, with two processes of which one is killed in the middle of it", async () => {
  let [dying, living] = [start(), start()];
  await Promise.all([begin(dying, FIRST), begin(living, FIRST)]);
  expect(await invocations()).toEqual({ 0: 1 });
  await endAll();

  const blocker = await database.sql.connect();
  await blocker.query("BEGIN; LOCK TABLE function_invocations IN EXCLUSIVE MODE");
  dying.send(FIRST + MINUTE_MS);
  await vi.waitFor(async () => {
    const waiting = await database.sql.query(
      "SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'function_invocations'::regclass",
    );
    expect(waiting.rows).toHaveLength(1);
  }, WITHIN);
  await kill(dying);
  await blocker.query("ROLLBACK");
  blocker.release();
  await vi.waitFor(async () => {
    await begin(living, FIRST + MINUTE_MS);
    expect(await invocations()).toEqual({ 0: 1, 1: 1 });
  }, WITHIN);
  await endAll();

  dying = start();
  await begin(dying, FIRST + 2 * MINUTE_MS);
  await kill(dying);
  living = start();
  await begin(living, FIRST + 2 * MINUTE_MS);
  expect(await invocations()).toEqual({ 0: 1, 1: 1, 2: 1 });
});
