import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import pino from "pino";
import { expect, it } from "vitest";
import { testAlarms } from "../../../../test/factories/alarms";
import { chatRows, NOON, outcomeOf, startIn } from "../../../../test/factories/chat-rows";
import { openForFile } from "../../../../test/factories/open-for-file";
import { testDatabase } from "../../../../test/factories/postgres";
import { MemoryCounters } from "../../../engines/counters/memory-counters";
import { ManualClock } from "../../../kernel/clock";
import type { ChatEntry } from "./chat-ledger";
import { registeredProcesses } from "./chat-requests.sql";
import { createChatLedger } from "./create-chat-ledger";
import { PlainPlaces } from "./plain-places";
import { startChatLedger } from "./start-chat-ledger";
import { startChatSweep } from "./sweep-requests";

const log = pino({ level: "silent" });
const encryptionKey = randomBytes(32);

const database = await openForFile(testDatabase());

const clock = new ManualClock(NOON);
const ledgerOf = () => createChatLedger({ sql: database.sql, clock, log, encryptionKey });

const { budget, spendOf, rowsOf } = chatRows(() => database);

it("bills a request once, at its price, and releases its reservation", async () => {
  const [ledger, id] = [ledgerOf(), await budget("prj_once", { nanos: 1_000_000 })];
  const entry = await ledger.begin(startIn("prj_once"));
  expect(await spendOf(id)).toMatchObject([{ reserved_nanos: 10_000n, reserved_tokens: 19n, spent_nanos: 0n }]);
  await Promise.all([ledger.finish(entry, outcomeOf(5)), ledger.finish(entry, outcomeOf(7))]);
  await ledger.finish(entry, outcomeOf(8));
  expect(await spendOf(id)).toMatchObject([
    { reserved_nanos: 0n, reserved_tokens: 0n, spent_nanos: 6000n, spent_tokens: 15n },
  ]);
  expect(await rowsOf("prj_once")).toMatchObject([{ state: "finished", cost_nanos: 6000n, completion_tokens: 5n }]);
  await ledger.stop();
});

it("keeps a budget exact under concurrency in two processes", async () => {
  const [one, two] = [ledgerOf(), ledgerOf()];
  // Each request reserves 10,000 nanos and 19 tokens; the budgets allow 25 of them.
  const ids = [
    await budget("prj_many", { nanos: 255_000 }),
    await budget("prj_many", { tokens: 1000, keyId: "key_1" }),
  ];
  const tries = Array.from({ length: 100 }, (_, i) => (i % 2 ? one : two).begin(startIn("prj_many")));
  const results = await Promise.allSettled(tries);
  const begun = results.flatMap((result, i) => (result.status === "fulfilled" ? [{ entry: result.value, i }] : []));
  expect(begun).toHaveLength(25);
  const refusal = results.find((result) => result.status === "rejected")?.reason;
  expect(refusal).toMatchObject({
    code: "quota_exceeded",
    details: { reason: "budget_exceeded", budget_id: ids[0], resets_at: "2026-11-21T00:00:00.000Z" },
  });
  await Promise.all(begun.map(({ entry, i }) => (i % 2 ? one : two).finish(entry, outcomeOf(9))));
  for (const id of ids) expect(await spendOf(id)).toMatchObject([{ reserved_nanos: 0n, spent_nanos: 250_000n }]);
  const rows = await rowsOf("prj_many");
  expect(rows.filter(({ http_status }) => http_status === 429)).toHaveLength(75);
  expect(rows.reduce((sum, { cost_nanos }) => sum + cost_nanos, 0n)).toBe(250_000n);
  // 5,000 nanos are left; a request that costs nothing is not refused.
  await expect(one.begin(startIn("prj_many"))).rejects.toMatchObject({ code: "quota_exceeded" });
  const free = await one.begin(startIn("prj_many", { price: { inputNanos: 0, outputNanos: 0 } }));
  await one.finish(free, outcomeOf(1));
  await Promise.all([one.stop(), two.stop()]);
});

it("begins a new window at midnight UTC, and counts a request in the window in which it began", async () => {
  const own = new ManualClock(new Date("2026-11-20T23:59:59.900Z"));
  const ledger = createChatLedger({ sql: database.sql, clock: own, log, encryptionKey });
  const id = await budget("prj_window", { nanos: 12_000 });
  const late = await ledger.begin(startIn("prj_window"));
  await expect(ledger.begin(startIn("prj_window"))).rejects.toMatchObject({ code: "quota_exceeded" });
  own.advance(200);
  const early = await ledger.begin(startIn("prj_window"));
  await ledger.finish(late, outcomeOf(9));
  const windows = await spendOf(id);
  expect(windows.map((row) => [row.window_start.toISOString(), row.spent_nanos, row.reserved_nanos])).toEqual([
    ["2026-11-20T00:00:00.000Z", 10_000n, 0n],
    ["2026-11-21T00:00:00.000Z", 0n, 10_000n],
  ]);
  await ledger.finish(early, outcomeOf(0));
  await ledger.stop();
});

it("reserves 1,024 tokens for an answer without a limit, and only notifies where the budget says so", async () => {
  const ledger = ledgerOf();
  const blocking = await budget("prj_default", { tokens: 1033 });
  await expect(ledger.begin(startIn("prj_default", { completionTokensMax: undefined }))).rejects.toMatchObject({
    details: { budget_id: blocking },
  });
  const notifying = await budget("prj_notify", { tokens: 1, action: "notify" });
  const entry = await ledger.begin(startIn("prj_notify", { completionTokensMax: undefined }));
  await ledger.finish(entry, outcomeOf(3));
  expect(await spendOf(notifying)).toMatchObject([{ spent_tokens: 13n, reserved_tokens: 0n }]);
  await ledger.stop();
});

it("forgets requests and bodies after 30 days", async () => {
  const { db, sql } = database;
  const now = new ManualClock(NOON);
  const counters = new MemoryCounters(now);
  const ledgerAt = (shared: ManualClock) =>
    startChatLedger({
      db,
      sql,
      clock: shared,
      log,
      encryptionKey,
      currency: "USD",
      roles: new Set(),
      counters,
      alarms: testAlarms({ sql }),
      dataDir,
    });
  const dataDir = await mkdtemp(path.join(os.tmpdir(), "svc-chat-"));
  const { ledger, tasks, stop } = ledgerAt(now);
  const data = { projectId: "prj_old", mode: "live" as const, tenantId: "ten_1", storesBodies: true, updatedAt: NOON };
  await db.chatSetting.create({ data });
  const logged = async (): Promise<ChatEntry> => {
    const entry = await ledger.begin(startIn("prj_old"));
    await ledger.finish(entry, outcomeOf(1, { bodies: { request: "q", response: "a" } }));
    const stateOf = async () => (await rowsOf("prj_old")).find(({ id }) => id === entry.id)?.state;
    await expect.poll(stateOf).toBe("finished");
    return entry;
  };
  await logged();
  now.advance(29 * 86_400_000);
  const kept = await logged();
  now.advance(2 * 86_400_000);
  await tasks.forget_chat_requests?.({}, { isLast: false });
  expect((await rowsOf("prj_old")).map((row) => row.id)).toEqual([kept.id]);
  const { rows } = await sql.query("SELECT id FROM chat_bodies WHERE id <= $1", [kept.id]);
  expect(rows.map((row) => row.id)).toContain(kept.id);
  expect(rows).toHaveLength(1);
  await stop();
  await rm(dataDir, { recursive: true, force: true });
});

it("charges nothing for a cached answer", async () => {
  const [ledger, id] = [ledgerOf(), await budget("prj_cached", { nanos: 1_000_000 })];
  const entry = await ledger.begin(startIn("prj_cached"));
  await ledger.finish(entry, outcomeOf(5, { isCached: true }));
  expect(await spendOf(id)).toMatchObject([{ spent_nanos: 0n, spent_tokens: 0n, reserved_nanos: 0n }]);
  await ledger.stop();
});

it("stores bodies sealed and only where the project has switched it on", async () => {
  const ledger = ledgerOf();
  const data = {
    projectId: "prj_bodies",
    mode: "live" as const,
    tenantId: "ten_1",
    storesBodies: true,
    updatedAt: NOON,
  };
  await database.db.chatSetting.create({ data });
  const bodies = { request: "a question", response: "an answer" };
  const [kept, other] = [await ledger.begin(startIn("prj_bodies")), await ledger.begin(startIn("prj_none"))];
  expect([kept.storesBodies, other.storesBodies]).toEqual([true, false]);
  await Promise.all([kept, other].map((entry) => ledger.finish(entry, outcomeOf(1, { bodies }))));
  const { rows } = await database.sql.query("SELECT * FROM chat_bodies WHERE id = ANY($1)", [[kept.id, other.id]]);
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toMatch(/question|answer/);
  await ledger.stop();
});

it("finishes what an ended process has left with what was streamed, and never what a living one runs", async () => {
  const [ended, living] = [ledgerOf(), ledgerOf()];
  const id = await budget("prj_swept", { nanos: 1_000_000 });
  const begin = (ledger: typeof ended) => ledger.begin(startIn("prj_swept"));
  const [streaming, silent, running] = [await begin(ended), await begin(ended), await begin(living)];
  ended.progress(streaming, { promptTokens: 10, completionTokens: 4, isEstimated: true });
  await expect.poll(async () => (await rowsOf("prj_swept")).map((row) => row.has_progress)).toContain(true);
  // Stops its heartbeat as `kill -9` would, but leaves its requests.
  await ended.stop();
  const sweep = startChatSweep({ sql: database.sql, clock, log, alarms: testAlarms(database), leaseMs: 5000 });
  const states = async () => new Map((await rowsOf("prj_swept")).map((row) => [row.id, row]));
  await expect.poll(async () => (await states()).get(streaming.id)?.state).toBe("finished");
  const rows = await states();
  expect(rows.get(streaming.id)).toMatchObject({ status: "cancelled", is_estimated: true, cost_nanos: 5000n });
  expect(rows.get(silent.id)).toMatchObject({ state: "finished", cost_nanos: 0n });
  expect(rows.get(running.id)).toMatchObject({ state: "pending" });
  // The process turns out to live: its bill stays as it is.
  await ended.finish(streaming, outcomeOf(9));
  await living.finish(running, outcomeOf(9));
  expect(await spendOf(id)).toMatchObject([{ spent_nanos: 15_000n, reserved_nanos: 0n, reserved_tokens: 0n }]);
  await Promise.all([sweep.stop(), living.stop()]);
});

it("is registered from its first request on, until it has had none for a while", async () => {
  const plainPlaces = new PlainPlaces({ clock, counters: new MemoryCounters(clock), processId: "chp_idle" });
  const parts = { sql: database.sql, clock, log, encryptionKey, plainPlaces, processId: "chp_idle" };
  const ledger = createChatLedger({ ...parts, registeredForMs: 100 });
  const isRegistered = async () => (await registeredProcesses(database.sql)).includes("chp_idle");
  for (const _ of ["once", "again"]) {
    expect(await isRegistered()).toBe(false);
    const entry = await ledger.begin(startIn("prj_idle"));
    await expect.poll(isRegistered).toBe(true);
    await ledger.finish(entry, outcomeOf(1));
    await expect.poll(isRegistered).toBe(false);
  }
  await Promise.all([ledger.stop(), plainPlaces.close()]);
});

it("finishes when Postgres is available again, and bills a request whose beginning was lost", async () => {
  const id = await budget("prj_away", { nanos: 1_000_000 });
  let isUnavailable = false;
  const sql = {
    query: (...args: [never]) =>
      isUnavailable ? Promise.reject(Object.assign(new Error("away"), { code: "57P01" })) : database.sql.query(...args),
  } as unknown as typeof database.sql;
  const ledger = createChatLedger({ sql, clock, log, encryptionKey });
  const entries: ChatEntry[] = [await ledger.begin(startIn("prj_away")), await ledger.begin(startIn("prj_away"))];
  await database.sql.query("DELETE FROM chat_requests WHERE id = $1", [entries[1]?.id]);
  await database.sql.query(
    "UPDATE chat_budget_spend SET reserved_nanos = 10000, reserved_tokens = 19 WHERE budget_id = $1",
    [id],
  );
  isUnavailable = true;
  const finished = Promise.all(entries.map((entry) => ledger.finish(entry, outcomeOf(5))));
  await expect(ledger.begin(startIn("prj_away"))).rejects.toMatchObject({ code: "unavailable" });
  isUnavailable = false;
  await finished;
  expect((await rowsOf("prj_away")).map(({ state, cost_nanos }) => [state, cost_nanos])).toEqual([
    ["finished", 6000n],
    ["finished", 6000n],
  ]);
  expect(await spendOf(id)).toMatchObject([{ spent_nanos: 12_000n, reserved_nanos: 0n, reserved_tokens: 0n }]);
  await ledger.stop();
});
