import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../factories/app";
import { makePlace, type Place, processesOf, type ServerProcess, startProcess } from "./server-process";
import { askOffers, expectExact, follow, Ledger, look, report, sendAgain } from "./traffic";

/** Far above the promised 5 s (Postgres) and 10 s (ClickHouse), and far below what a frozen engine takes: for ever. */
const ANSWERED_WITHIN_MS = 60_000;

let place: Place;
let server: ServerProcess;
let frozen: number[] = [];
const ledger = new Ledger();
beforeAll(async () => {
  place = await makePlace();
  server = await startProcess(place);
}, 300_000);
afterEach(() => thaw());
afterAll(async () => {
  thaw();
  await server?.stop();
  place?.remove();
}, 300_000);

function freeze(pids: number[]): void {
  frozen = pids;
  for (const pid of pids) process.kill(pid, "SIGSTOP");
}

function thaw(): void {
  for (const pid of frozen.splice(0)) process.kill(pid, "SIGCONT");
}

/** The server process and its backends. */
function postgresPids(): number[] {
  const postmaster = Number.parseInt(readFileSync(path.join(place.dataDir, "postgres/postmaster.pid"), "utf8"), 10);
  const children = readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && parentOf(pid) === postmaster);
  return [postmaster, ...children.map(Number)];
}

function parentOf(pid: string): number {
  try {
    return Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
  } catch {
    return 0;
  }
}

const clickhousePids = (): number[] =>
  processesOf(place)
    .filter(({ command }) => command.includes("sidecar.mjs"))
    .map(({ pid }) => pid);

interface Reply {
  status: number;
  code: string | undefined;
  retryAfter: number;
}

async function send(to: string, init: RequestInit = {}): Promise<Reply> {
  const signal = AbortSignal.timeout(ANSWERED_WITHIN_MS);
  const response = await fetch(`${server.url}${to}`, { redirect: "manual", signal, ...init });
  const text = await response.text();
  return {
    status: response.status,
    code: /"code":"([a-z_]+)"/.exec(text)?.[1],
    retryAfter: Number(response.headers.get("retry-after")),
  };
}

const json = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify(body),
});
const bearer = () => ({ authorization: `Bearer ${server.keys.live}` });
const SESSION = { cookie: `svc_session=${"a".repeat(40)}` };

const offers = () => send("/api/v1/offers", json({ query: "headphones" }, { "x-svc-api-key": server.keys.server }));
const logIn = () => send("/v1/auth/login", json(server.dashboard));
const SURFACES: [string, () => Promise<Reply>][] = [
  ["offers", offers],
  ["the platform API", () => send("/v1/ads/campaigns", { headers: bearer() })],
  ["a creation", () => send("/v1/ads/channels", json({ name: "frozen" }, bearer()))],
  ["log-in", logIn],
  ["the dashboard's API", () => send("/api/trpc/getBrowserSession", { headers: SESSION })],
  ["a page", () => send("/offers/campaigns", { headers: { ...SESSION, accept: "text/html" } })],
];
const unavailable = { status: 503, retryAfter: expect.toSatisfy((seconds: number) => seconds >= 1) };

async function serveOffers(): Promise<string[]> {
  const ids = (await askOffers(server, 6)) ?? [];
  for (const id of ids) ledger.served.add(id);
  await look();
  return ids;
}

describe("Postgres stopped by SIGSTOP", () => {
  it("makes every surface answer 503 in time, however many ask, and nothing is lost or doubled when it goes on", async () => {
    const [first = "", second = "", ...rest] = await serveOffers();
    freeze(postgresPids());
    // These reach a connection that was in use: whether their claims happen shows only when Postgres goes on.
    const claims = Promise.all([report(server, rest), follow(server, first)]);
    const replies = await Promise.all(SURFACES.map(([, ask]) => ask()));
    expect(replies).toEqual(SURFACES.map(() => expect.objectContaining(unavailable)));
    const [reported, clickId = ""] = await claims;
    expect(reported).toBe(503);
    ledger.clicked.set(first, clickId);
    for (const id of rest) ledger.seenUnanswered.add(id);

    expect(new Set((await Promise.all(Array.from({ length: 200 }, offers))).map(({ status }) => status))).toEqual(
      new Set([503]),
    );
    ledger.clicked.set(second, (await follow(server, second)) ?? "");
    expect(await report(server, rest)).toBe(503);
    expect((await send("/readyz")).status).toBe(503);
    expect((await send("/healthz")).status).toBe(200);

    thaw();
    await eventually(async () => (await serveOffers()).length > 0, 60_000);
    await eventually(async () => (await send("/readyz")).status === 200, 60_000);
    expect((await logIn()).status).toBe(200);
    await sendAgain(server, ledger);
    await expectExact(server, ledger);
    const [made] = await server.rows("postgres", "SELECT count(*)::int AS n FROM channels WHERE name = 'frozen'");
    expect(made?.n).toBeLessThanOrEqual(1);
    // Nothing holds a connection or a lock that it does not need.
    await eventually(async () => {
      const [stuck] = await server.rows(
        "postgres",
        "SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'",
      );
      return stuck?.n === 0;
    }, 60_000);
  }, 300_000);
});

describe("ClickHouse stopped by SIGSTOP", () => {
  const reports = () => send("/v1/ads/reports", { headers: bearer() });

  it("takes reports away, 503 in time, and nothing else", async () => {
    await eventually(async () => (await reports()).status === 200, 60_000);
    freeze(clickhousePids());
    expect(await reports()).toMatchObject({ ...unavailable, code: "unavailable" });
    // A key has 120 reports a minute, of which some are for the recovery, and not all of them at once.
    for (let round = 0; round < 15; round++) {
      expect(await Promise.all(Array.from({ length: 4 }, reports))).toEqual(
        Array.from({ length: 4 }, () => expect.objectContaining(unavailable)),
      );
    }
    const ids = await serveOffers();
    expect(ids.length).toBeGreaterThan(0);
    expect(await report(server, ids)).toBe(204);
    for (const id of ids) ledger.seen.add(id);
    ledger.clicked.set(ids[0] ?? "", (await follow(server, ids[0] ?? "")) ?? "");
    expect((await logIn()).status).toBe(200);
    const ready = await fetch(`${server.url}/readyz`);
    expect(ready.status).toBe(200);
    const { engines } = (await ready.json()) as { engines: { name: string; ok: boolean }[] };
    expect(engines.find(({ name }) => name === "clickhouse")?.ok).toBe(false);

    thaw();
    await eventually(async () => {
      await sleep(500);
      return (await reports()).status === 200;
    }, 60_000);
    await expectExact(server, ledger);
  }, 300_000);
});
