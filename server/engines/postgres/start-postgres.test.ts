import { type ChildProcessByStdio, spawn, spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import readline from "node:readline";
import type { Readable, Writable } from "node:stream";
import { build } from "esbuild";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { processMark } from "../file-lock.mjs";
import { clusterPaths } from "./cluster-paths";
import { runDbCommand } from "./db-command";
import { runningServer } from "./server-pid.mjs";
import { type RunningPostgres, type StartPostgres, startPostgres } from "./start-postgres";

const rootDir = path.resolve(import.meta.dirname, "../../..");
const isRoot = process.getuid?.() === 0;
const SETTINGS = { fsync: "off", shared_buffers: "16MB", io_method: "sync" };

let tmp: string;
let dataDir: string;
let programDir: string;
let program: string;
beforeAll(async () => {
  tmp = mkdtempSync(path.join(os.tmpdir(), "svc-pg-"));
  dataDir = path.join(tmp, "data");
  programDir = mkdtempSync(path.join(os.tmpdir(), "svc-pg-program-"));
  chmodSync(programDir, 0o755);
  program = path.join(programDir, "parent.mjs");
  await build({
    stdin: { contents: PARENT, resolveDir: import.meta.dirname, loader: "ts" },
    banner: { js: 'import * as m from "node:module"; const require = m.createRequire(import.meta.url);' },
    bundle: true,
    platform: "node",
    format: "esm",
    outfile: program,
  });
});
afterAll(() => {
  for (const dir of [tmp, programDir]) rmSync(dir, { recursive: true, force: true });
});

/** A process that starts Postgres, says so, and stops it when told. */
const PARENT = `
  import { startPostgres } from "./start-postgres";
  const say = (line: unknown) => process.stdout.write(JSON.stringify(line) + "\\n");
  const told = () => new Promise((resolve) => process.stdin.once("data", resolve));
  if (process.argv[3]) {
    say("waiting");
    await told();
  }
  try {
    const { stop, ...server } = await startPostgres(JSON.parse(process.argv[2] ?? ""));
    say(server);
    await told();
    await stop();
    say("stopped");
    process.exit();
  } catch (error) {
    say({ error: (error as Error).message });
    process.exit();
  }`;

interface Parent {
  child: ChildProcessByStdio<Writable, Readable, null>;
  said: () => Promise<Partial<RunningPostgres> & { error?: string }>;
}

function startParent(
  options: Partial<StartPostgres> = {},
  { uid, wait = false }: { uid?: number; wait?: boolean } = {},
): Parent {
  const ids = uid === undefined ? {} : { uid, gid: uid };
  const child = spawn(
    process.execPath,
    [program, JSON.stringify({ rootDir, dataDir, settings: SETTINGS, ...options }), ...(wait ? ["wait"] : [])],
    {
      cwd: "/",
      stdio: ["pipe", "pipe", "inherit"],
      ...ids,
    },
  );
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines = readline.createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const said = async () => JSON.parse((await lines.next()).value ?? "null");
  return { child, said };
}

async function stopParent({ child, said }: Parent): Promise<void> {
  child.stdin.write("stop\n");
  expect(await said()).toBe("stopped");
}

async function start(options: Partial<StartPostgres> = {}): Promise<RunningPostgres> {
  const server = await startPostgres({ rootDir, dataDir, settings: SETTINGS, ...options });
  onTestFinished(() => server.stop());
  return server;
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

const running = () => runningServer(clusterPaths(dataDir).cluster);
/** An orphan that has exited may wait a while to be reaped; it counts as gone. */
const isRunning = (pid: number): boolean => processMark(pid) !== undefined;

/** Watchers that look after the cluster in `dataDir`. */
function watchers(): number {
  const { stdout } = spawnSync("ps", ["-eo", "args"], { encoding: "utf8" });
  return stdout.split("\n").filter((line) => line.includes("postgres-watcher.mjs") && line.includes(`${dataDir}/`))
    .length;
}

async function listen(): Promise<[net.Server, number]> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return [server, typeof address === "object" && address ? address.port : 0];
}

async function freePort(): Promise<number> {
  const [server, port] = await listen();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Every parent of it is open. */
function folderOf(uid: number): string {
  const dir = mkdtempSync(path.join(os.tmpdir(), "svc-pg-other-"));
  chownSync(dir, uid, uid);
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

test("starts on the loopback address alone, with a password, and leaves nothing when stopped", async () => {
  const server = await startPostgres({ rootDir, dataDir, settings: SETTINGS });
  expect(server).toMatchObject({ adopted: false, fresh: true });
  expect(await query(server.url, "SELECT current_database() AS name")).toEqual([{ name: "svc" }]);
  expect(await query(server.url, "SHOW listen_addresses")).toEqual([{ listen_addresses: "127.0.0.1" }]);
  const guess = new URL(server.url);
  guess.password = "postgres";
  await expect(query(guess.href, "SELECT 1")).rejects.toThrow(/password authentication failed/);
  expect((statSync(clusterPaths(dataDir).password).mode & 0o777).toString(8)).toBe("600");
  await server.stop();
  expect(isRunning(server.pid)).toBe(false);
  await vi.waitFor(() => expect(watchers()).toBe(0), { timeout: 5000 });
});

test.runIf(isRoot)(
  "as root the server runs as another user, although the folder's parents are closed to it",
  async () => {
    chmodSync(tmp, 0o700);
    const { pid } = await start();
    expect(statSync(`/proc/${pid}`).uid).toBeGreaterThan(0);
    expect((statSync(dataDir).mode & 0o777).toString(8)).toBe("700");
  },
);

test("rows outlive a server that was killed", async () => {
  const server = await start();
  await query(server.url, "CREATE TABLE kept AS SELECT 7 AS n");
  process.kill(server.pid, "SIGKILL");
  await server.stop();
  const again = await start();
  expect(await query(again.url, "SELECT n FROM kept")).toEqual([{ n: 7 }]);
  await query(again.url, "DROP TABLE kept");
});

test("nothing is left 5 s after its process was killed", async () => {
  const parent = startParent();
  const { pid = 0 } = await parent.said();
  expect(running()?.pid).toBe(pid);
  parent.child.kill("SIGKILL");
  await vi.waitFor(() => expect([isRunning(pid), watchers()]).toEqual([false, 0]), { timeout: 5000, interval: 50 });
});

test("a start right after the kill adopts the server, and the first watcher leaves it alone", async () => {
  const parent = startParent();
  const { pid = 0 } = await parent.said();
  parent.child.kill("SIGKILL");
  await new Promise((resolve) => parent.child.once("exit", resolve));
  const adopted = await start();
  expect(adopted).toMatchObject({ adopted: true, fresh: false, pid });
  await vi.waitFor(() => expect(watchers()).toBe(1), { timeout: 10_000 });
  expect(await query(adopted.url, "SELECT 1 AS ok")).toEqual([{ ok: 1 }]);
  await adopted.stop();
  expect(isRunning(pid)).toBe(false);
});

test("an adopted server is stopped as well when its second process is killed", async () => {
  const first = startParent();
  const { pid = 0 } = await first.said();
  const second = startParent({}, { wait: true });
  expect(await second.said()).toBe("waiting");
  first.child.kill("SIGKILL");
  await new Promise((resolve) => first.child.once("exit", resolve));
  second.child.stdin.write("go\n");
  expect(await second.said()).toMatchObject({ adopted: true, pid });
  second.child.kill("SIGKILL");
  await vi.waitFor(() => expect(isRunning(pid)).toBe(false), { timeout: 5000, interval: 50 });
});

test("a server of a live process is shared, and stays when the guest stops", async () => {
  const parent = startParent();
  const { pid = 0, url = "" } = await parent.said();
  const lines: string[] = [];
  const options = { rootDir, dataDir, print: (line: string) => lines.push(line) };
  const codes = [await runDbCommand(["deploy"], options), await runDbCommand(["status"], options)];
  expect(lines).toEqual([expect.stringMatching(/^Applied \d{14}_foundations/), "Everything is applied."]);
  expect(codes).toEqual([0, 0]);
  expect(isRunning(pid)).toBe(true);
  expect(await query(url, "SELECT 1 AS ok")).toEqual([{ ok: 1 }]);
  await stopParent(parent);
});

test("three starts at once end with one server", async () => {
  const parents = [startParent(), startParent(), startParent()];
  const said = await Promise.all(parents.map((parent) => parent.said()));
  expect(new Set(said.map(({ pid }) => pid)).size).toBe(1);
  expect(said.filter(({ adopted }) => !adopted)).toHaveLength(1);
  for (const parent of parents) await stopParent(parent);
  expect(running()).toBeUndefined();
});

test("a port that another program took meanwhile is given up for the next one", async () => {
  const [rival, taken] = await listen();
  onTestFinished(() => void rival.close());
  const ports = [taken, taken, await freePort()];
  const server = await start({ choosePort: async () => ports.shift() ?? 0 });
  expect(Number(new URL(server.url).port)).not.toBe(taken);
  expect(ports).toEqual([]);
});

test("a pid file that names somebody else's process does not stop a start", async () => {
  writeFileSync(
    path.join(clusterPaths(dataDir).cluster, "postmaster.pid"),
    `${process.pid}\n/x\n1\n5432\n\n\n\nready\n`,
  );
  const server = await start();
  expect(server.adopted).toBe(false);
});

describe("refuses in one sentence", () => {
  test("a cluster of another major version", async () => {
    const file = path.join(clusterPaths(dataDir).cluster, "PG_VERSION");
    const version = readFileSync(file, "utf8");
    onTestFinished(() => writeFileSync(file, version));
    writeFileSync(file, "17\n");
    await expect(start()).rejects.toThrow(/was written by PostgreSQL 17 and this svc carries PostgreSQL 18: dump it/);
  });

  test("a cluster whose password is lost or wrong", async () => {
    const file = clusterPaths(dataDir).password;
    const password = readFileSync(file, "utf8");
    onTestFinished(() => writeFileSync(file, password));
    rmSync(file);
    await expect(start()).rejects.toThrow(/postgres\.password is missing.*restore that file/);
    writeFileSync(file, "wrong", { mode: 0o600 });
    await expect(start()).rejects.toThrow(/is not the one of the database beside it/);
    expect(running()).toBeUndefined();
  });

  test.runIf(isRoot)("a folder of another user", async () => {
    const parent = startParent({ dataDir: path.join(folderOf(0), "x") }, { uid: 65_534 });
    expect((await parent.said()).error).toMatch(/may not use .*chown -R/);
  });
});

describe.runIf(isRoot)("as an ordinary user", () => {
  test("starts in a private folder", async () => {
    const dir = path.join(folderOf(65_534), "data");
    const parent = startParent({ dataDir: dir }, { uid: 65_534 });
    const { pid, error } = await parent.said();
    expect(error).toBeUndefined();
    expect(statSync(`/proc/${pid}`).uid).toBe(65_534);
    await stopParent(parent);

    // Root then leaves the cluster to the user that made it.
    const again = await start({ dataDir: dir });
    expect(statSync(`/proc/${again.pid}`).uid).toBe(65_534);
  });

  test("a user without a name gets a server, or is told how to get one", async () => {
    const dir = path.join(folderOf(54_321), "data");
    const parent = startParent({ dataDir: dir }, { uid: 54_321 });
    const { pid, error } = await parent.said();
    if (error !== undefined) return expect(error).toMatch(/User id 54321 has no name.*\/etc\/passwd/);
    expect(statSync(`/proc/${pid}`).uid).toBe(54_321);
    await stopParent(parent);
  });
});
