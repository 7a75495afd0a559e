import { afterEach, expect, it, vi } from "vitest";
import { openForFile } from "../../../test/factories/open-for-file";
import { testDatabase } from "../../../test/factories/postgres";
import { ClaimSession, claimName, LostSession } from "./session-claim";

const open: ClaimSession[] = [];
const database = await openForFile(testDatabase());
afterEach(async () => {
  for (const session of open.splice(0)) await session.close();
});

async function session(): Promise<ClaimSession> {
  const opened = await ClaimSession.open(database.url);
  open.push(opened);
  return opened;
}

/** Ends the connection of a session as the end of its process does. */
async function kill({ client }: ClaimSession): Promise<void> {
  const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  await database.sql.query("SELECT pg_terminate_backend($1)", [rows[0]?.pid]);
}

it("one session at a time has a name, and others have other names", async () => {
  const [one, other] = [await session(), await session()];
  expect(await Promise.all([one.take("a"), other.take("b")])).toEqual([true, true]);
  expect(await Promise.all([one.take("b"), other.take("a"), one.take("a")])).toEqual([false, false, false]);
  await one.release("a");
  expect(await other.take("a")).toBe(true);
});

it("a claim ends with its session, and claimName leaves no connection where it claims nothing", async () => {
  const one = await claimName(database.url, "a");
  expect(await claimName(database.url, "a")).toBeUndefined();
  const count =
    "SELECT count(*)::int AS n FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
  expect((await database.sql.query<{ n: number }>(count)).rows[0]?.n).toBe(1);
  await one?.close();
  expect(one?.signal.aborted).toBe(false);
  await expect.poll(async () => (await session()).take("a")).toBe(true);
});

it("a holder whose connection is killed notices, and another session has the name then", async () => {
  const [one, other] = [await session(), await session()];
  await one.take("a");
  await kill(one);
  await vi.waitUntil(() => one.signal.aborted, { timeout: 30_000, interval: 5 });
  expect(one.signal.reason).toBeInstanceOf(LostSession);
  await expect(one.client.query("SELECT 1")).rejects.toThrow();
  await expect.poll(() => other.take("a")).toBe(true);
  // The end of a claim that is lost does not end that of the other session.
  await one.release("a");
  expect(await (await session()).take("a")).toBe(false);
});

it("a name that could not be released ends the session, and with it the claim", async () => {
  const [one, other] = [await session(), await session()];
  await one.take("a");
  await one.client.query("SELECT pg_advisory_unlock_all()");
  await one.release("a");
  await vi.waitUntil(() => one.signal.aborted, { timeout: 30_000, interval: 5 });
  expect(await other.take("a")).toBe(true);
});
