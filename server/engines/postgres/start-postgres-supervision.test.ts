import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readlinkSync, rmSync } from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { Pool } from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { processMark, takeLock } from "../file-lock.mjs";
import { clusterPaths } from "./cluster-paths";
import { ownServer } from "./server-owner";
import { runningServer } from "./server-pid.mjs";
import { type RunningPostgres, startPostgres } from "./start-postgres";

const rootDir = path.resolve(import.meta.dirname, "../../..");
const SETTINGS = { fsync: "off", shared_buffers: "16MB", io_method: "sync" };
const BACK = { timeout: 60_000, interval: 50 };

let tmp: string;
let dataDir: string;
let lines: string[];
beforeAll(() => {
  tmp = mkdtempSync(path.join(os.tmpdir(), "svc-pg-kept-"));
  dataDir = path.join(tmp, "data");
});
afterAll(() => rmSync(tmp, { recursive: true, force: true }));
beforeEach(() => {
  lines = [];
});

interface Started {
  server: RunningPostgres;
  /** Created before anything happens to the server. */
  pool: Pool;
}

async function start(): Promise<Started> {
  const log = (line: string) => void lines.push(line);
  const server = await startPostgres({ rootDir, dataDir, settings: SETTINGS, log });
  const pool = new Pool({ connectionString: server.url, max: 3, connectionTimeoutMillis: 2000 });
  pool.on("error", () => undefined);
  onTestFinished(async () => {
    await pool.end();
    await server.stop();
  });
  await pool.query("SELECT 1");
  return { server, pool };
}

/** Sends a signal to the server and resolves when that process has ended. */
async function end(pid: number, signal: NodeJS.Signals): Promise<void> {
  process.kill(pid, signal);
  await vi.waitUntil(() => processMark(pid) === undefined, { ...BACK, interval: 10 });
}

const answers = (pool: Pool): Promise<boolean> =>
  pool.query("SELECT 1").then(
    () => true,
    () => false,
  );
const back = ({ server, pool }: Started): Promise<boolean> =>
  vi.waitUntil(async () => (await answers(pool)) && running()?.pid === server.pid, BACK);
const running = () => runningServer(clusterPaths(dataDir).cluster);
/**
 * Processes that have the data directory in their arguments or, like a server of another user, as their working
 * directory.
 */
function leftovers(): string[] {
  const { stdout } = spawnSync("ps", ["-axww", "-o", "args="], { encoding: "utf8" });
  const naming = stdout.split("\n").filter((line) => line.includes(dataDir));
  const pids = process.platform === "linux" ? readdirSync("/proc").filter((name) => /^\d+$/.test(name)) : [];
  return [...naming, ...pids.filter((pid) => folderOf(pid)?.startsWith(dataDir))];
}

function folderOf(pid: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}

describe.each(["SIGKILL", "SIGINT"] as const)("a server that ends with %s", (signal) => {
  test("is restarted, three times in a row, and the same pool keeps working", async () => {
    const { server, pool } = await start();
    await pool.query("CREATE TABLE IF NOT EXISTS kept (n int)");
    await pool.query("TRUNCATE kept");
    const pids = new Set([server.pid]);
    for (let n = 1; n <= 3; n++) {
      const { pid } = server;
      await pool.query("INSERT INTO kept VALUES ($1)", [n]);
      await end(pid, signal);
      await back({ server, pool });
      pids.add(server.pid);
      expect(lines).toHaveLength(n);
      const how = signal === "SIGKILL" ? "was killed by SIGKILL" : "ended with 0";
      expect(lines[n - 1]).toContain(`Postgres (process ${pid}) ${how} and is being restarted`);
    }
    expect(pids.size).toBe(4);
    expect((await pool.query("SELECT array_agg(n ORDER BY n) AS n FROM kept")).rows).toEqual([{ n: [1, 2, 3] }]);
  });
});

test("an adopted server is restarted too", async () => {
  const first = await start();
  // The owner file of a process that has ended.
  rmSync(clusterPaths(dataDir).owner);
  const { server, pool } = await start();
  expect(server).toMatchObject({ adopted: true, pid: first.server.pid, url: first.server.url });
  await end(server.pid, "SIGKILL");
  await back({ server, pool });
  expect(server.pid).not.toBe(first.server.pid);
});

test("stop right after a crash leaves nothing, and nothing is restarted", async () => {
  const { server, pool } = await start();
  expect(leftovers().length).toBeGreaterThanOrEqual(2);
  await end(server.pid, "SIGKILL");
  await server.stop();
  expect([running(), await answers(pool)]).toEqual([undefined, false]);
  await vi.waitUntil(() => leftovers().length === 0, BACK);
});

test("stop during a restart wins", async () => {
  const { server } = await start();
  const { pid } = server;
  process.kill(pid, "SIGKILL");
  await vi.waitUntil(() => (running()?.pid ?? pid) !== pid, { ...BACK, interval: 1 });
  await server.stop();
  expect(running()).toBeUndefined();
  await vi.waitUntil(() => leftovers().length === 0, BACK);
});

test("a restart waits for the start lock, a new process for the restart, and a guest's stop does not affect the server", async () => {
  const { server, pool } = await start();
  const lock = takeLock(clusterPaths(dataDir).lock);
  if (!lock.taken) throw new Error("the lock is held");
  await end(server.pid, "SIGKILL");
  const newcomer = startPostgres({ rootDir, dataDir, settings: SETTINGS });
  await vi.waitUntil(() => lines.length === 1, BACK);
  expect([await answers(pool), running()]).toEqual([false, undefined]);
  lock.release();
  const guest = await newcomer;
  expect(guest).toMatchObject({ adopted: true, pid: server.pid, url: server.url });
  await guest.stop();
  await back({ server, pool });
});

test("a restart waits for a port that another program took", async () => {
  const { server, pool } = await start();
  const paths = clusterPaths(dataDir);
  const lock = takeLock(paths.lock);
  if (!lock.taken) throw new Error("the lock is held");
  await end(server.pid, "SIGKILL");
  const rival = net.createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => rival.listen(Number(new URL(server.url).port), "127.0.0.1", resolve));
  lock.release();
  await vi.waitUntil(() => lines.length >= 2, BACK);
  expect(lines[1]).toMatch(/^Postgres is still unavailable: .*could not bind/);
  await new Promise((resolve) => rival.close(resolve));
  await back({ server, pool });
  await vi.waitUntil(() => lines.at(-1) === `Postgres is running again (process ${server.pid}).`, BACK);
});

test("a cluster that got another owner is not changed", async () => {
  const { server } = await start();
  const other = ownServer(rootDir, clusterPaths(dataDir));
  onTestFinished(() => other.release());
  await end(server.pid, "SIGKILL");
  await vi.waitUntil(() => lines.length >= 2, BACK);
  expect(lines[1]).toMatch(/belongs to another process now/);
  expect(running()).toBeUndefined();
});
