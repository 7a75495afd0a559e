import { randomBytes } from "node:crypto";
import { appendFileSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import pino from "pino";
import { afterAll, expect, it } from "vitest";
import { testAlarms } from "../../../../test/factories/alarms";
import { chatRows, NOON, outcomeOf, startIn } from "../../../../test/factories/chat-rows";
import { testDatabase } from "../../../../test/factories/postgres";
import { MemoryCounters } from "../../../engines/counters/memory-counters";
import { ManualClock } from "../../../kernel/clock";
import { announceChatRules, confirmingChatRules } from "./announce-chat-rules";
import { abandonedJournals, ChatJournal } from "./chat-journal";
import { createChatLedger } from "./create-chat-ledger";
import { PlainPlaces } from "./plain-places";
import { recoverRequests } from "./recover-requests";
import { startChatSweep } from "./sweep-requests";

const log = pino({ level: "silent" });
const encryptionKey = randomBytes(32);
/** A process that has ended: no system has so many. */
const ENDED = { pid: 2 ** 30, mark: "1" };
const usage = (completionTokens: number) => ({ promptTokens: 10, completionTokens, isEstimated: true });

const dirs: string[] = [];
const database = await testDatabase();
afterAll(async () => {
  await database.close();
  for (const dir of dirs) rmSync(dir, { recursive: true, force: true });
});

const { budget, spendOf, rowsOf } = chatRows(() => database);
const clock = new ManualClock(NOON);

function newDir(): string {
  const dir = mkdtempSync(path.join(os.tmpdir(), "svc-chat-journal-"));
  dirs.push(dir);
  return dir;
}

/**
 * A ledger that begins requests ahead of Postgres; its statements wait while `held.gate` does, and fail while
 * `held.isUnavailable`. As long as they wait, it is to Postgres as if it were killed.
 */
async function aheadLedger({ dir = newDir(), owner }: { dir?: string; owner?: typeof ENDED } = {}) {
  const counters = new MemoryCounters(clock);
  const plainPlaces = new PlainPlaces({ clock, counters, processId: "chp_ahead" });
  plainPlaces.registered(performance.now());
  // It has subscribed by then.
  await new Promise((resolve) => setImmediate(resolve));
  const held = { gate: Promise.resolve(), isUnavailable: false };
  const query = async (...args: [never]) => {
    await held.gate;
    if (held.isUnavailable) throw Object.assign(new Error("away"), { code: "57P01" });
    return database.sql.query(...args);
  };
  const sql = { query } as unknown as typeof database.sql;
  const journal = new ChatJournal(dir, owner);
  const ledger = createChatLedger({ sql, clock, log, encryptionKey, plainPlaces, journal });
  /** Holds every statement until the returned function is called. */
  const hold = (): (() => void) => {
    let letGo = () => {};
    held.gate = new Promise((resolve) => {
      letGo = resolve;
    });
    return letGo;
  };
  /** Begins a request that waits for Postgres, after which others need not. */
  const learn = async (projectId: string): Promise<void> => {
    await ledger.finish(await ledger.begin(startIn(projectId)), outcomeOf(1));
    await finishedIn(projectId, 1);
  };
  const recover = () => recoverRequests({ sql: database.sql, clock, log, dir });
  return { ledger, counters, held, hold, dir, learn, recover };
}

const finishedIn = (projectId: string, count: number) =>
  expect
    .poll(async () => (await rowsOf(projectId)).filter(({ state }) => state === "finished").length, { timeout: 10_000 })
    .toBe(count);

const isWaiting = async (begun: Promise<unknown>): Promise<boolean> => {
  const turn = new Promise((resolve) => setImmediate(resolve, "waits"));
  return (await Promise.race([begun, turn])) === "waits";
};

it("begins ahead of Postgres where nothing limits the payer, and bills once in any order", async () => {
  const { ledger, hold, learn } = await aheadLedger();
  await learn("prj_ahead");
  const letGo = hold();
  expect(await isWaiting(ledger.begin(startIn("prj_other")))).toBe(true);
  const ahead = await ledger.begin(startIn("prj_ahead"));
  await Promise.all([ledger.finish(ahead, outcomeOf(5)), ledger.finish(ahead, outcomeOf(7))]);
  expect(await rowsOf("prj_ahead")).toHaveLength(1);
  letGo();
  await finishedIn("prj_ahead", 2);
  await ledger.stop();
  const rows = await rowsOf("prj_ahead");
  expect(rows).toHaveLength(2);
  expect(rows.find(({ id }) => id === ahead.id)).toMatchObject({ cost_nanos: 6000n, reserved_nanos: 0n });
});

it("waits for the admission again as soon as a budget or settings were announced", async () => {
  const { ledger, counters, hold, learn } = await aheadLedger();
  await learn("prj_limited");
  const letGo = hold();
  const ahead = await ledger.begin(startIn("prj_limited"));
  const id = await budget("prj_limited", { tokens: 20 });
  await announceChatRules(confirmingChatRules({ sql: database.sql, counters }), "prj_limited");
  const waiting = ledger.begin(startIn("prj_limited"));
  expect(await isWaiting(waiting)).toBe(true);
  letGo();
  // The one that began before the announcement is counted, and never refused.
  await ledger.finish(await waiting, outcomeOf(5));
  await ledger.finish(ahead, outcomeOf(0));
  await finishedIn("prj_limited", 3);
  expect(await spendOf(id)).toMatchObject([{ spent_tokens: 25n, reserved_tokens: 0n, reserved_nanos: 0n }]);
  await expect(ledger.begin(startIn("prj_limited"))).rejects.toMatchObject({ details: { budget_id: id } });
  await ledger.stop();
});

it("trusts what it knows of a payer for two seconds, and only while the process is registered", async () => {
  const { ledger, hold, learn } = await aheadLedger();
  await learn("prj_old_news");
  clock.advance(2001);
  const letGo = hold();
  const waiting = ledger.begin(startIn("prj_old_news"));
  expect(await isWaiting(waiting)).toBe(true);
  letGo();
  await ledger.finish(await waiting, outcomeOf(1));
  await ledger.stop();
  const places = new PlainPlaces({ clock, counters: new MemoryCounters(clock), processId: "chp_new" });
  const payer = { projectId: "prj_new", mode: "live", keyId: undefined } as const;
  const admission = { id: "chr_1", refused_by: null, budget_ids: [], stores_bodies: null, cache_seconds: null };
  const plain = { ...admission, offers_channel_id: null, offers_limit: null };
  await new Promise((resolve) => setImmediate(resolve));
  places.look(payer).learn(plain);
  places.registered(performance.now());
  expect(places.look(payer).isPlain).toBe(false);
  places.look(payer).learn(plain);
  expect(places.look(payer).isPlain).toBe(true);
  places.registered(performance.now() - 15_000);
  expect(places.look(payer).isPlain).toBe(false);
  await places.close();
});

it("bills a request whose beginning Postgres never got, and then begins none ahead", async () => {
  const { ledger, held, learn } = await aheadLedger();
  await learn("prj_lost");
  held.isUnavailable = true;
  const ahead = await ledger.begin(startIn("prj_lost"));
  await ledger.finish(ahead, outcomeOf(5));
  await expect.poll(() => ledger.begin(startIn("prj_lost")).catch(({ code }) => code)).toBe("unavailable");
  held.isUnavailable = false;
  await finishedIn("prj_lost", 2);
  await ledger.stop();
  const billed = (await rowsOf("prj_lost")).filter((row) => row.id === ahead.id);
  expect(billed).toMatchObject([{ state: "finished", cost_nanos: 6000n }]);
});

it("waits for Postgres where the disk does not take the journal", async () => {
  const file = path.join(newDir(), "file");
  writeFileSync(file, "");
  const { ledger, hold, learn } = await aheadLedger({ dir: path.join(file, "chat") });
  await learn("prj_no_disk");
  const before = hold();
  const waiting = ledger.begin(startIn("prj_no_disk", { isStream: true }));
  expect(await isWaiting(waiting)).toBe(true);
  before();
  const entry = await waiting;
  await ledger.answering(entry, usage(0));
  const rows = (await rowsOf("prj_no_disk")).filter(({ id }) => id === entry.id);
  expect(rows).toMatchObject([{ state: "pending", has_progress: true }]);
  await ledger.finish(entry, outcomeOf(5));
  expect((await rowsOf("prj_no_disk")).map(({ state }) => state)).toEqual(["finished", "finished"]);
  await ledger.stop();
});

it("bills after a kill what clients had seen, once, though Postgres knew of nothing", async () => {
  const { ledger, hold, dir, learn, recover } = await aheadLedger({ owner: ENDED });
  await learn("prj_killed");
  hold();
  const [whole, streaming, started, unseen] = await Promise.all(
    [1, 2, 3, 4].map(() => ledger.begin(startIn("prj_killed"))),
  );
  if (!(whole && streaming && started && unseen)) throw new Error("No requests began.");
  await ledger.finish(whole, outcomeOf(5));
  for (const entry of [streaming, started]) await ledger.answering(entry, usage(0));
  ledger.progress(streaming, usage(3));
  expect(await rowsOf("prj_killed")).toHaveLength(1);
  expect(abandonedJournals(dir)).toHaveLength(1);
  await Promise.all([recover(), recover()]);
  await recover();
  expect(abandonedJournals(dir)).toEqual([]);
  const rows = new Map((await rowsOf("prj_killed")).map((row) => [row.id, row]));
  expect(rows.size).toBe(5);
  expect(rows.get(whole.id)).toMatchObject({ status: "succeeded", cost_nanos: 6000n, is_estimated: false });
  expect(rows.get(streaming.id)).toMatchObject({ status: "cancelled", cost_nanos: 4000n, is_estimated: true });
  expect(rows.get(started.id)).toMatchObject({ status: "cancelled", cost_nanos: 1000n, is_estimated: true });
  expect(rows.get(unseen.id)).toMatchObject({ status: "cancelled", cost_nanos: 0n });
});

it("corrects what another process has finished before the journal was found, and leaves what was finished right", async () => {
  const id = await budget("prj_swept", { nanos: 1_000_000 });
  const { ledger, hold, recover } = await aheadLedger({ owner: ENDED });
  const right = await ledger.begin(startIn("prj_swept"));
  await ledger.finish(right, outcomeOf(2));
  await finishedIn("prj_swept", 1);
  const [whole, started, unseen] = await Promise.all([1, 2, 3].map(() => ledger.begin(startIn("prj_swept"))));
  if (!(whole && started && unseen)) throw new Error("No requests began.");
  hold();
  await ledger.answering(started, usage(0));
  await ledger.finish(whole, outcomeOf(5));
  const sweep = startChatSweep({ sql: database.sql, clock, log, alarms: testAlarms(database), leaseMs: 100 });
  await finishedIn("prj_swept", 4);
  await sweep.stop();
  expect(await spendOf(id)).toMatchObject([{ spent_nanos: 3000n, reserved_nanos: 0n }]);
  await recover();
  const rows = new Map((await rowsOf("prj_swept")).map((row) => [row.id, row]));
  expect(rows.get(whole.id)).toMatchObject({ status: "succeeded", cost_nanos: 6000n, error_code: null });
  expect(rows.get(started.id)).toMatchObject({ status: "cancelled", cost_nanos: 1000n });
  expect(rows.get(unseen.id)).toMatchObject({ status: "cancelled", cost_nanos: 0n });
  expect(await spendOf(id)).toMatchObject([
    { spent_nanos: 10_000n, spent_tokens: 37n, reserved_nanos: 0n, reserved_tokens: 0n },
  ]);
});

it("bills nothing again that is so old that its row may have been deleted", async () => {
  const { ledger, hold, learn, dir } = await aheadLedger({ owner: ENDED });
  await learn("prj_old");
  hold();
  await ledger.finish(await ledger.begin(startIn("prj_old")), outcomeOf(5));
  const later = new ManualClock(new Date(NOON.getTime() + 26 * 86_400_000));
  await recoverRequests({ sql: database.sql, clock: later, log, dir });
  expect(await rowsOf("prj_old")).toHaveLength(1);
  expect(abandonedJournals(dir)).toEqual([]);
});

const progress = (id: string, completion_tokens: number) => ({ progress: { id, prompt_tokens: 1, completion_tokens } });

it("keeps in a new file only what is needed, and reads all before a torn line", () => {
  const dir = newDir();
  const journal = new ChatJournal(dir, ENDED);
  journal.record("chr_kept", progress("chr_kept", 1));
  for (let n = 0; n < 40_000; n++) {
    journal.record(`chr_${n}`, progress(`chr_${n}`, n));
    if (n > 0) journal.forget(`chr_${n}`);
  }
  journal.record("chr_kept", progress("chr_kept", 2));
  const [name, ...others] = readdirSync(dir);
  expect(others).toEqual([]);
  const file = path.join(dir, name ?? "");
  expect(statSync(file).size).toBeLessThan(4 * 1024 * 1024);
  appendFileSync(file, '00000000 {"id":"chr_torn","prog');
  const [left] = abandonedJournals(dir);
  expect(left?.entries.get("chr_kept")).toEqual(progress("chr_kept", 2));
  expect(left?.entries.get("chr_0")).toEqual(progress("chr_0", 0));
  expect(left?.entries.has("chr_torn")).toBe(false);
  journal.close();
  expect(readdirSync(dir)).toEqual([name]);
});

it("leaves the journal of a living process alone, and removes one with nothing left to bill", () => {
  const dir = newDir();
  const journal = new ChatJournal(dir);
  journal.record("chr_1", progress("chr_1", 1));
  expect(abandonedJournals(dir)).toEqual([]);
  journal.forget("chr_1");
  journal.close();
  expect(readdirSync(dir)).toEqual([]);
});
