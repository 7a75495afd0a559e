import { Client } from "pg";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openForFile } from "../../../test/factories/open-for-file";
import { testDatabase } from "../../../test/factories/postgres";
import { type Lease, LeasedRows, type LeaseTime, LostLease, timeOf } from "./lease";

const ROWS = new LeasedRows({ table: "leased", ms: 30_000, isOpen: "ended_at IS NULL" });
const AT = new Date("2026-11-20T09:00:00Z");
const after = (seconds: number): Date => new Date(AT.getTime() + seconds * 1000);
const QUIET = { warn: () => undefined };

const database = await openForFile(testDatabase());
await database.sql.query(`CREATE TABLE leased (id text PRIMARY KEY, lease_owner text, lease_until timestamptz(3),
    lease_fence int NOT NULL DEFAULT 0, ended_at timestamptz, note text)`);
afterEach(() => void vi.useRealTimers());
beforeEach(async () => {
  await database.sql.query("TRUNCATE leased");
  await database.sql.query("INSERT INTO leased (id) VALUES ('a')");
});

async function take(owner: string, now: LeaseTime): Promise<Lease | undefined> {
  const { rows } = await database.sql.query<Lease>(
    `UPDATE leased SET ${ROWS.taking({ owner: "$1", now: timeOf("$2") })} WHERE id = 'a' AND ${ROWS.isFree(timeOf("$2"))}
     RETURNING id, lease_owner AS owner, lease_fence AS fence`,
    [owner, now],
  );
  return rows[0];
}

async function taken(owner: string, now: LeaseTime): Promise<Lease> {
  const lease = await take(owner, now);
  if (!lease) throw new Error("the row is not free");
  return lease;
}

const note = async (): Promise<string | null> =>
  (await database.sql.query<{ note: string | null }>("SELECT note FROM leased")).rows[0]?.note ?? null;

const write = (lease: Lease, text: string): Promise<unknown> =>
  ROWS.whileHeld(database.sql, lease, (client) => client.query("UPDATE leased SET note = $1", [text]));

it("one of several processes takes a free row", async () => {
  const leases = await Promise.all(["p1", "p2", "p3", "p4"].map((owner) => take(owner, AT)));
  expect(leases.filter((lease) => lease !== undefined)).toHaveLength(1);
});

it("a row is free when its lease has ended, and later for as long as it is extended", async () => {
  const lease = await taken("p1", AT);
  expect(await take("p2", after(29))).toBeUndefined();
  expect(await ROWS.extend(database.sql, lease, { now: after(29), set: { note: "half" } })).toBe(true);
  expect(await note()).toBe("half");
  expect(await take("p2", after(58))).toBeUndefined();
  expect(await take("p2", after(59))).toEqual({ id: "a", owner: "p2", fence: 2 });
});

it("a holder whose lease another process has taken extends, releases and writes nothing", async () => {
  const first = await taken("p1", AT);
  const second = await taken("p2", after(30));
  expect(await ROWS.extend(database.sql, first, { now: after(31) })).toBe(false);
  await ROWS.release(database.sql, first);
  await expect(write(first, "late")).rejects.toThrow(LostLease);
  await write(second, "ours");
  expect(await note()).toBe("ours");
  expect(await take("p3", after(31))).toBeUndefined();
});

it("the same process that takes a row again cannot write with its earlier lease", async () => {
  const first = await taken("p1", AT);
  await ROWS.release(database.sql, first);
  const again = await taken("p1", AT);
  expect(again.fence).toBe(first.fence + 1);
  await expect(write(first, "late")).rejects.toThrow(LostLease);
});

it("a released row is free at once, or from the time that its holder chose", async () => {
  await ROWS.release(database.sql, await taken("p1", AT), { until: after(5), set: { note: "left" } });
  expect(await note()).toBe("left");
  expect(await take("p2", after(4))).toBeUndefined();
  await ROWS.release(database.sql, await taken("p2", after(5)));
  expect(await take("p3", AT)).toBeDefined();
});

it("nobody has a row that is not open: it is not taken, and its holder notices", async () => {
  const lease = await taken("p1", AT);
  await database.sql.query("UPDATE leased SET ended_at = now()");
  expect(await ROWS.extend(database.sql, lease, { now: AT })).toBe(false);
  await expect(write(lease, "late")).rejects.toThrow(LostLease);
  expect(await take("p2", after(60))).toBeUndefined();
});

it("by the time of the database, the clocks of processes do not matter", async () => {
  const lease = await taken("p1", null);
  expect(await take("p2", null)).toBeUndefined();
  expect(await ROWS.extend(database.sql, lease, { now: null })).toBe(true);
  await database.sql.query("UPDATE leased SET lease_until = now() - interval '1 millisecond'");
  expect(await take("p2", null)).toMatchObject({ owner: "p2", fence: 2 });
});

it("a row is free after a process that was killed while it wrote, and keeps none of that", async () => {
  const lease = await taken("p1", AT);
  const client = new Client({ connectionString: database.url });
  client.on("error", () => undefined);
  await client.connect();
  await client.query("BEGIN");
  await ROWS.lock(client, lease);
  await client.query("UPDATE leased SET note = 'half'");
  const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  await database.sql.query("SELECT pg_terminate_backend($1)", [rows[0]?.pid]);
  await vi.waitFor(async () => expect(await taken("p2", after(30))).toMatchObject({ fence: 2 }), { timeout: 30_000 });
  expect(await note()).toBeNull();
  await client.end().catch(() => undefined);
});

it("while a holder writes, another process cannot overtake it", async () => {
  const lease = await taken("p1", AT);
  let second: Promise<Lease | undefined> | undefined;
  await ROWS.whileHeld(database.sql, lease, async (client) => {
    second = take("p2", after(30));
    await client.query("UPDATE leased SET note = 'whole'");
  });
  expect(await second).toMatchObject({ owner: "p2" });
  expect(await note()).toBe("whole");
});

it("a kept lease is extended until it is lost, which aborts its signal", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
  let extensions = 0;
  const kept = ROWS.keep("a", { extend: async () => ++extensions < 3, log: QUIET });
  await vi.advanceTimersByTimeAsync(15_000);
  expect([extensions, kept.signal.aborted]).toEqual([2, false]);
  await vi.advanceTimersByTimeAsync(7500);
  expect(kept.signal.reason).toBeInstanceOf(LostLease);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(extensions).toBe(3);
});

it("a kept lease counts as lost when it cannot be extended for as long as it lasts", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
  const away = ROWS.keep("a", { extend: () => Promise.reject(new Error("away")), log: QUIET });
  const hanging = ROWS.keep("a", { extend: () => new Promise(() => undefined), log: QUIET });
  await vi.advanceTimersByTimeAsync(29_999);
  expect([away.signal.aborted, hanging.signal.aborted]).toEqual([false, false]);
  await vi.advanceTimersByTimeAsync(1);
  expect([away.signal.reason, hanging.signal.reason]).toEqual([expect.any(LostLease), expect.any(LostLease)]);
});

it("a kept lease that is stopped is not extended any more", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
  const extend = vi.fn(async () => true);
  ROWS.keep("a", { extend, log: QUIET }).stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(extend).not.toHaveBeenCalled();
});
