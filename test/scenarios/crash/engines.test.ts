import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { processMark, takeLock } from "../../../server/engines/file-lock.mjs";
import { clusterPaths } from "../../../server/engines/postgres/cluster-paths";
import { eventually } from "../../factories/app";
import { sampled } from "../../factories/sampled";
import { makePlace, type Place, processesOf, type ServerProcess, startDoomed, startProcess } from "./server-process";
import { askOffers, drive, expectExact, follow, Ledger, look, report, sendAgain } from "./traffic";

let place: Place;
let server: ServerProcess;
const ledger = new Ledger();
beforeAll(async () => {
  place = await makePlace();
  server = await startProcess(place);
}, 300_000);
afterAll(async () => {
  await server?.stop();
  place?.remove();
}, 300_000);

const clickhousePid = (): number => {
  const found = processesOf(place).find(({ command }) => command.includes("sidecar.mjs"));
  if (!found) throw new Error("no ClickHouse runs here");
  return found.pid;
};
const postgresPid = (): number =>
  Number.parseInt(readFileSync(path.join(place.dataDir, "postgres/postmaster.pid"), "utf8"), 10);

describe("kill -9 of ClickHouse", () => {
  it("is noticed by nobody who asks for offers, and loses and doubles nothing once it is back by itself", async () => {
    const doomed = clickhousePid();
    let kills = 0;
    const isOver = () => {
      if (kills === 0 && ledger.seen.size > 100) kills += Number(process.kill(doomed, "SIGKILL"));
      return ledger.seen.size > 1000;
    };
    await drive(server, ledger, isOver);
    expect(kills).toBe(1);
    expect([ledger.seenUnanswered.size, ledger.clickUnanswered.size]).toEqual([0, 0]);
    await eventually(() => processesOf(place).some(({ command }) => command.includes("sidecar.mjs")), 60_000);
    expect(clickhousePid()).not.toBe(doomed);
    await expectExact(server, ledger);
  }, 300_000);
});

/** Ends Postgres and keeps it away until `comeBack`: a restart waits for the lock that every start takes. */
async function takePostgresAway(signal: NodeJS.Signals): Promise<{ comeBack(): void }> {
  const lock = takeLock(clusterPaths(place.dataDir).lock);
  if (!lock.taken) throw new Error(`process ${lock.pid} holds the start lock`);
  process.kill(postgresPid(), signal);
  await eventually(async () => (await askOffers(server)) === undefined);
  return { comeBack: lock.release };
}

/** Two offers that svc remembers are followed without Postgres; `betweenMs` lets each click get a slice of its own. */
async function followWithout(served: readonly string[], betweenMs = 0): Promise<string> {
  const [first, second] = served;
  if (!first || !second) throw new Error("too few offers");
  for (const id of [first, second]) {
    if (id === second) await new Promise((resolve) => setTimeout(resolve, betweenMs));
    const clickId = await follow(server, id);
    expect(clickId).toMatch(/^[0-9a-f]{32}$/);
    ledger.clicked.set(id, clickId ?? "");
  }
  return first;
}

async function serveOffers(): Promise<string[]> {
  const served = (await askOffers(server, 6)) ?? [];
  await look();
  for (const id of served) ledger.served.add(id);
  return served;
}

const offersAreBack = (): Promise<void> =>
  eventually(async () => {
    const served = await serveOffers();
    return served.length > 0;
  }, 60_000);

describe.each(sampled(["SIGKILL", "SIGINT"] as const, 1))("Postgres ended by %s", (signal) => {
  it("refuses what it cannot keep, goes on redirecting, and counts each click once when Postgres is back by itself", async () => {
    const served = await serveOffers();
    const doomed = postgresPid();
    const { comeBack } = await takePostgresAway(signal);

    const refused = await fetch(`${server.url}/api/v1/offers`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-svc-api-key": server.keys.server },
      body: JSON.stringify({ query: "wireless headphones" }),
    });
    const { error } = (await refused.json()) as { error: { code: string; retry_after: number } };
    expect([refused.status, error.code]).toEqual([503, "unavailable"]);
    expect(Number(refused.headers.get("retry-after"))).toBe(error.retry_after);
    expect(error.retry_after).toBeGreaterThanOrEqual(1);
    const rest = served.slice(2);
    expect(await report(server, rest)).toBe(503);
    for (const id of rest) ledger.seenUnanswered.add(id);
    const first = await followWithout(served);
    // Postgres has been tried again in between, and the click keeps its id.
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(await follow(server, first)).toBe(ledger.clicked.get(first));

    comeBack();
    await offersAreBack();
    expect(postgresPid()).not.toBe(doomed);
    expect(server.child.exitCode).toBeNull();
    await sendAgain(server, ledger);
    await expectExact(server, ledger);
    await expectClaimAndJobs();
  }, 300_000);
});

describe("svc killed while it replays the clicks that it took without Postgres, and again in its next start", () => {
  it("leaves no Postgres of its own restart behind, and counts each click once", async () => {
    const served = await serveOffers();
    const doomed = postgresPid();
    const { comeBack } = await takePostgresAway("SIGKILL");
    await followWithout(served, 1500);
    await server.trap("replay.claimed");
    comeBack();
    expect(await server.ended).toBe("SIGKILL");
    const orphan = postgresPid();
    expect(orphan).not.toBe(doomed);
    await eventually(() => processMark(orphan) === undefined, 5000);
    await startDoomed(place, "replay.claimed");
    server = await startProcess(place);
    await sendAgain(server, ledger);
    await expectExact(server, ledger);
  }, 300_000);
});

/** What holds connections of its own is back as well: the claim to be the only process, and the job worker. */
async function expectClaimAndJobs(): Promise<void> {
  const count = async (from: string): Promise<number> => {
    const [row] = await server.rows("postgres", `SELECT count(*) AS n FROM ${from}`);
    return Number(row?.n);
  };
  await eventually(
    async () =>
      (await count(
        "pg_locks WHERE locktype = 'advisory' AND (classid::bigint << 32) | objid::bigint = hashtextextended('single-process', 0)",
      )) === 1,
  );

  await server.rows(
    "postgres",
    `INSERT INTO invitations (id, email, role, token_hash, created_at, expires_at)
     VALUES ('inv_old', 'old@example.com', 'member', 'old', now() - interval '1 year', now() - interval '1 year')`,
  );
  await server.rows("postgres", "SELECT graphile_worker.add_job('sweep_expired', '{}'::json)::text");
  await eventually(async () => (await count("invitations WHERE id = 'inv_old'")) === 0, 60_000);
}
