import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasRedisServer, type RedisServer, startRedisServer } from "../contract/redis-server";
import { eventually } from "../factories/app";
import { type ServerProcess, startInVain, startServerProcess } from "../factories/server-process";

const PROCESSES = 3;
const SOON = { timeout: 90_000, interval: 200 };
const ANSWERED_WITHIN_MS = 30_000;
const SEARCH = JSON.stringify({ query: "wireless headphones" });

interface HttpResult {
  status: number;
  text: string;
}

interface Ask {
  path: string;
  body?: string;
  headers?: Record<string, string>;
}

const dataDir = path.join(mkdtempSync(path.join(os.tmpdir(), "svc-processes-")), "data");
afterAll(() => rmSync(path.dirname(dataDir), { recursive: true, force: true }));

it("does not start several web processes without Redis, and says what to do", async () => {
  expect(await startInVain({ dataDir, env: { SVC_WEB_PROCESSES: "2" } })).toEqual({
    ending: 1,
    sentences: [expect.stringMatching(/SVC_WEB_PROCESSES=2 requires REDIS_URL.*: set it to .* or set/)],
  });
});

describe.skipIf(!hasRedisServer())("several web processes on one port", () => {
  let redis: RedisServer;
  let server: ServerProcess;
  /** Answers with 200 to requests for offers so far; each is an event that reports must contain. */
  let searches = 0;
  /** Requests whose answer was lost with their process; they may have been recorded. */
  let lost = 0;

  const start = () =>
    startServerProcess({ dataDir, env: { SVC_WEB_PROCESSES: String(PROCESSES), REDIS_URL: redis.url } });
  beforeAll(async () => {
    redis = await startRedisServer();
    server = await start();
    await allReady();
  });
  afterAll(async () => {
    await server?.stop();
    await redis?.close();
  });

  /** Over a connection of its own, which any process may accept. */
  const ask = (each: Ask): Promise<HttpResult> => askOf(server, each);

  async function search(): Promise<number> {
    const { status } = await ask({
      path: "/api/v1/offers",
      body: SEARCH,
      headers: { "x-svc-api-key": server.demo.channel.server_key },
    });
    if (status === 200) searches++;
    return status;
  }

  const metrics = async (): Promise<string> => (await ask({ path: "/metrics" })).text;

  /** The processes that are ready, by the label that they have in the metrics. */
  async function slotsOf(): Promise<string[]> {
    const text = await metrics().catch(() => "");
    return [...text.matchAll(/^svc_wal_waiting_bytes\{process="(\d+)"\}/gm)].map(([, slot = ""]) => slot).sort();
  }

  /** Requests for offers that each process has handled. */
  const countedSearches = async (): Promise<Map<string, number>> =>
    new Map(
      [...(await metrics()).matchAll(/^svc_http_requests_total\{api="offers",.*process="(\d)".*\} (\d+)$/gm)].map(
        ([, slot = "", count]) => [slot, Number(count)],
      ),
    );

  const allReady = () => eventually(async () => (await slotsOf()).join() === "0,1,2", SOON.timeout);

  /** The processes of the server that serve requests. */
  const webProcesses = (): number[] => childrenOf(server.child.pid ?? 0, "main.mjs");

  it("prints one box, and has as many processes as it was told to", () => {
    expect(server.said().match(/svc is running on/g)).toHaveLength(1);
    expect(webProcesses()).toHaveLength(PROCESSES);
  });

  it("serves requests in every process, which /metrics shows together", async () => {
    await eventually(async () => {
      const statuses = await Promise.all(Array.from({ length: 60 }, search));
      expect(new Set(statuses)).toEqual(new Set([200]));
      return (await countedSearches()).size === PROCESSES;
    }, SOON.timeout);
    const counted = await countedSearches();
    expect([...counted.keys()].sort()).toEqual(["0", "1", "2"]);
    expect([...counted.values()].reduce((sum, count) => sum + count, 0)).toBe(searches);
  });

  it("knows in every process at once what one of them has answered", async () => {
    const owner = { authorization: `Bearer ${server.demo.api.live_key}` };
    const made = await ask({
      path: "/v1/keys",
      headers: owner,
      body: JSON.stringify({ name: "k", scopes: ["ads:read"] }),
    });
    expect(made.status, made.text).toBe(201);
    const { id, key } = JSON.parse(made.text);
    const everywhere = () =>
      Promise.all(
        Array.from({ length: 10 * PROCESSES }, async () => {
          const answer = await ask({ path: "/v1/tenants/me", headers: { authorization: `Bearer ${key}` } });
          return answer.status;
        }),
      );
    expect(new Set(await everywhere())).toEqual(new Set([200]));
    const ended = await ask({ path: `/v1/keys/${id}/revoke`, headers: owner, body: "{}" });
    expect(ended.status, ended.text).toBe(200);
    await expect.poll(async () => [...new Set(await everywhere())], { timeout: 30_000, interval: 20 }).toEqual([401]);
  });

  it("replaces a process that was killed, while the others serve", async () => {
    const before = webProcesses();
    const [doomed = 0] = before;
    const statuses = new Set<number>();
    const failures = new Set<unknown>();
    let isOver = false;
    const clients = Array.from({ length: 8 }, async () => {
      while (!isOver) {
        await search().then(
          (status) => statuses.add(status),
          (failure: NodeJS.ErrnoException) => {
            lost++;
            failures.add(failure.code);
          },
        );
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    });
    await expect.poll(() => statuses.size, SOON).toBe(1);
    process.kill(doomed, "SIGKILL");
    await expect.poll(webProcesses, SOON).not.toContain(doomed);
    await allReady();
    isOver = true;
    await Promise.all(clients);
    // At most what the killed process was at: each client has one request at a time.
    expect(lost).toBeLessThanOrEqual(clients.length);
    // None waits for an answer that does not come.
    expect([...failures].filter((code) => code !== "ECONNRESET")).toEqual([]);
    expect(statuses).toEqual(new Set([200]));
    expect(webProcesses()).toHaveLength(PROCESSES);
    expect(webProcesses().filter((pid) => before.includes(pid))).toHaveLength(PROCESSES - 1);
  });

  it("waits longer between attempts while a process exits again and again", async () => {
    const [doomed = 0, ...others] = webProcesses();
    const killed = new Set([doomed]);
    process.kill(doomed, "SIGKILL");
    // Longer where a new process takes longer to begin.
    for (const until = performance.now() + 4000; performance.now() < until || killed.size <= 2; ) {
      for (const pid of webProcesses().filter((each) => !others.includes(each))) {
        killed.add(pid);
        if (isAlive(pid)) process.kill(pid, "SIGKILL");
      }
      expect((await ask({ path: "/healthz" })).status).toBe(200);
    }
    // At pauses of 100 ms at most there would be more than 40.
    expect(killed.size).toBeGreaterThan(2);
    expect(killed.size).toBeLessThan(20);
    await allReady();
    expect(webProcesses()).toEqual(expect.arrayContaining(others));
  });

  it("finishes requests under way when it is stopped, and exits with 0", async () => {
    const agents = Array.from({ length: 2 * PROCESSES }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
    const open = agents.map((agent) => slowSearch(server, agent));
    await Promise.all(open.map(({ begun }) => begun));
    const pids = webProcesses();
    const stopped = server.stop();
    await new Promise((resolve) => setTimeout(resolve, 300));
    for (const { finish } of open) finish();
    const statuses = await Promise.all(open.map(({ status }) => status));
    searches += statuses.length;
    expect(statuses).toEqual(open.map(() => 200));
    expect(await stopped).toBe(0);
    expect(pids.filter(isAlive)).toEqual([]);
    for (const agent of agents) agent.destroy();
  });

  it("leaves no process behind when the supervising one is killed, and loses no event of any", async () => {
    server = await start();
    await allReady();
    const pids = [...webProcesses(), ...childrenOf(server.child.pid ?? 0, dataDir)];
    expect(pids.length).toBeGreaterThan(PROCESSES);
    await Promise.all(Array.from({ length: 30 }, search));
    expect(await server.stop("SIGKILL")).toBe("SIGKILL");
    await expect.poll(() => pids.filter(isAlive), SOON).toEqual([]);
    // One process delivers what waited in the write-ahead files of three.
    server = await startServerProcess({ dataDir });
    const reported = async () => {
      const answer = await ask({
        path: "/v1/ads/reports",
        headers: { authorization: `Bearer ${server.demo.api.live_key}` },
      });
      return JSON.parse(answer.text).totals.requests;
    };
    await expect.poll(reported, { ...SOON, interval: 1000 }).toBeGreaterThanOrEqual(searches);
    expect(await reported()).toBeLessThanOrEqual(searches + lost);
  });
});

function askOf({ port }: ServerProcess, { path: at, body, headers = {} }: Ask): Promise<HttpResult> {
  return new Promise((resolve, reject) => {
    const type = body === undefined ? {} : { "content-type": "application/json" };
    const method = body === undefined ? "GET" : "POST";
    const signal = AbortSignal.timeout(ANSWERED_WITHIN_MS);
    request(
      { port, host: "localhost", path: at, method, agent: false, headers: { ...type, ...headers }, signal },
      (response) => {
        let text = "";
        response.on("data", (chunk) => {
          text += chunk;
        });
        response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
        response.on("error", reject);
      },
    )
      .on("error", reject)
      .end(body);
  });
}

/** A request whose body is complete only after `finish`. */
function slowSearch({ port, demo }: ServerProcess, agent: Agent) {
  const headers = { "content-type": "application/json", "x-svc-api-key": demo.channel.server_key };
  const sent = request({ port, host: "localhost", path: "/api/v1/offers", method: "POST", agent, headers });
  const begun = new Promise<void>((resolve, reject) => {
    sent.on("error", reject);
    // Time for the process to accept the connection and to read the beginning.
    sent.on("socket", (socket) => socket.once("connect", () => setTimeout(resolve, 1000)));
  });
  const status = new Promise<number>((resolve, reject) => {
    sent.on("error", reject);
    sent.on("response", (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode ?? 0));
    });
  });
  sent.write(SEARCH.slice(0, 5));
  return { begun, status, finish: () => sent.end(SEARCH.slice(5)) };
}

/** Running children of a process whose command contains `part`. */
function childrenOf(parent: number, part: string): number[] {
  return execFileSync("ps", ["-axww", "-o", "pid=,ppid=,stat=,args="], { encoding: "utf8" })
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(
      ([, ppid, stat, ...args]) => Number(ppid) === parent && !stat?.startsWith("Z") && args.join(" ").includes(part),
    )
    .map(([pid]) => Number(pid));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
