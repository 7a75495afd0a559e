import { type ChildProcess, spawn } from "node:child_process";
import { chownSync, closeSync, existsSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import net from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { processMark } from "../file-lock.mjs";
import type { ClusterPaths } from "./cluster-paths";
import { runningServer, stopServer } from "./server-pid.mjs";
import { clusterArgument, type ServerUser } from "./server-user";

const POLL_MS = 20;
const LOGIN_TIMEOUT_MS = 5000;
/** Recovery after a crash replays at most about 512 MB. */
const READY_TIMEOUT_MS = 5 * 60_000;
const ATTEMPTS_MAX = 40;
const RETRY_MS = 100;
const GIVE_UP_GRACE_MS = 2000;
/** Another program took the port first. */
const PORT_TAKEN = /could not bind|could not create any TCP\/IP sockets/;
/** The children of a killed server are still exiting. */
const LEAVING = /pre-existing shared memory block/;
const LOG_BYTES_MAX = 8 * 1024 * 1024;
const TAIL_CHARS = 4000;

/** For one svc on a small machine: a few dozen connections, and a write-ahead log below 1 GB. */
const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: "60",
  shared_buffers: "128MB",
  synchronous_commit: "on",
  max_wal_size: "512MB",
  min_wal_size: "64MB",
  wal_compression: "on",
  log_min_messages: "warning",
  timezone: "UTC",
  log_timezone: "UTC",
};

/**
 * The private memory of each process of the server, in KiB: a statement of a tenant that builds a huge value fails with
 * "out of memory" instead of using up the machine. Shared buffers do not count.
 */
const PROCESS_KIB_MAX = 512 * 1024;
const LIMITED = `ulimit -d ${PROCESS_KIB_MAX} 2>/dev/null; exec "$0" "$@"`;

/**
 * Who may log in, whatever settings a cluster was created with: over TCP on the loopback address, with the password.
 */
const ACCESS = "host all all 127.0.0.1/32 scram-sha-256\n";

export interface LaunchServer {
  binDir: string;
  paths: ClusterPaths;
  user: ServerUser;
  password: string;
  settings: Readonly<Record<string, string>>;
  /** Default: any free port. If another program takes it first, the next one is tried. */
  choosePort?: (() => Promise<number>) | undefined;
  /** Use this port and no other. */
  port?: number | undefined;
  /** Aborts the start, and leaves no server running. */
  signal?: AbortSignal | undefined;
}

export interface LaunchedServer {
  pid: number;
  /** Distinguishes this process from a later one with the same id. */
  mark: string | undefined;
  port: number;
  password: string;
  /** Resolves with how the server ended, such as "was killed by SIGKILL". */
  exited: Promise<string>;
}

/**
 * Starts a server on a free port (or the given one) and resolves when it accepts logins; rejects with the end of its
 * log.
 */
export async function launchServer(request: LaunchServer): Promise<LaunchedServer> {
  const { paths, password, signal } = request;
  // The file does not name a running server, so it is stale; Postgres would fail if its id were in use by another
  // process.
  rmSync(path.join(paths.cluster, "postmaster.pid"), { force: true });
  writeAccess(request);
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted();
    const logStart = existsSync(paths.log) ? statSync(paths.log).size : 0;
    const child = spawnServer(request, request.port ?? (await (request.choosePort ?? freePort)()));
    const exited = exitOf(child);
    const pid = await started(child);
    const mark = processMark(pid);
    const ready = waitForLogin({ cluster: paths.cluster, password, pid, child, signal });
    const port = await ready.catch(async (cause: unknown) => {
      await stopServer({ pid, mark }, GIVE_UP_GRACE_MS);
      throw cause;
    });
    if (port !== undefined) return { pid, mark, port, password, exited };
    const tail = readFileSync(paths.log).subarray(logStart).toString().slice(-TAIL_CHARS);
    const passing = LEAVING.test(tail) || (request.port === undefined && PORT_TAKEN.test(tail));
    if (!passing || attempt === ATTEMPTS_MAX) throw new Error(`Postgres did not start: ${tail.trim()}`);
    await sleep(RETRY_MS);
  }
}

export interface WaitForLogin {
  cluster: string;
  password: string;
  pid: number;
  /** The server, if it is a child of this process. */
  child?: ChildProcess | undefined;
  signal?: AbortSignal | undefined;
}

/** The port, once the server accepts logins (it may be recovering); undefined if it exits instead. */
export async function waitForLogin(request: WaitForLogin): Promise<number | undefined> {
  const { cluster, password, pid, child, signal } = request;
  for (let waitedMs = 0; waitedMs < READY_TIMEOUT_MS; waitedMs += POLL_MS) {
    signal?.throwIfAborted();
    const running = runningServer(cluster);
    if (running?.ready && running.pid === pid && (await logIn({ port: running.port, password }))) {
      return running.port;
    }
    const exited = child ? child.exitCode !== null || child.signalCode !== null : running?.pid !== pid;
    if (exited) return undefined;
    await sleep(POLL_MS);
  }
  throw new Error(`Postgres (process ${pid}) has not become ready in 5 minutes: end that process, then start again.`);
}

/** Creates the database unless it exists. */
export async function createDatabase(server: ServerLogin, name: string): Promise<void> {
  const client = clientOf(server);
  await client.connect();
  try {
    const { rowCount } = await client.query("SELECT 1 FROM pg_database WHERE datname = $1", [name]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
}

/** Turns an error of the system or of Postgres into one sentence with the fix. */
export function explainFailure(cause: unknown, dataDir: string): Error {
  const text = cause instanceof Error ? cause.message : String(cause);
  if (/ENOSPC|EDQUOT|No space left on device|Check free disk space|Disk quota exceeded/.test(text)) {
    return new Error(`The disk of ${dataDir} is full: free at least 300 MB, or set SVC_DATA_DIR to another disk.`, {
      cause,
    });
  }
  if (/EROFS|Read-only file system/.test(text)) {
    return new Error(`${dataDir} is on a read-only file system: set SVC_DATA_DIR to a folder that can be written.`, {
      cause,
    });
  }
  if (/spawn\S* .*EPERM/.test(text)) {
    return new Error(
      "PostgreSQL does not run as root, and this root user may not start it as another user: run svc as an ordinary user.",
      {
        cause,
      },
    );
  }
  if (/EACCES|EPERM|Permission denied|wrong ownership/.test(text)) {
    return new Error(
      `Postgres may not use ${dataDir} or something in it: give the folder to the user that runs svc (chown -R), or set SVC_DATA_DIR to another folder.`,
      { cause },
    );
  }
  if (/password authentication failed/.test(text)) {
    return new Error(
      `The password in ${dataDir}/postgres.password does not match the database: restore that file, or delete ${dataDir}/postgres to begin with an empty database.`,
      { cause },
    );
  }
  if (/could not look up effective user ID/.test(text)) {
    return new Error(
      `User id ${process.getuid?.()} has no name, which PostgreSQL's initdb needs: add a line for it to /etc/passwd, run svc as another user, or set DATABASE_URL.`,
      { cause },
    );
  }
  return cause instanceof Error ? cause : new Error(text);
}

function writeAccess({ paths, user: { uid, gid } }: LaunchServer): void {
  const file = path.join(paths.cluster, "pg_hba.conf");
  writeFileSync(file, ACCESS, { mode: 0o600 });
  if (uid !== undefined && gid !== undefined) chownSync(file, uid, gid);
}

function spawnServer({ binDir, paths, user, settings }: LaunchServer, port: number): ChildProcess {
  const all = Object.entries({ ...SETTINGS, ...settings, port: String(port) });
  const args = [
    "-D",
    clusterArgument(paths.cluster, user),
    ...all.flatMap(([name, value]) => ["-c", `${name}=${value}`]),
  ];
  const grown = existsSync(paths.log) && statSync(paths.log).size > LOG_BYTES_MAX;
  const log = openSync(paths.log, grown ? "w" : "a", 0o600);
  try {
    // A separate session, so that Ctrl-C in a terminal reaches only svc, which stops the server at the end of its own
    // stop.
    return spawn("/bin/sh", ["-c", LIMITED, path.join(binDir, "bin", "postgres"), ...args], {
      cwd: paths.cluster,
      detached: true,
      env: { LC_ALL: "C", PATH: "/usr/local/bin:/usr/bin:/bin", NODE_ENV: "production" },
      gid: user.gid,
      uid: user.uid,
      stdio: ["ignore", log, log],
    });
  } finally {
    closeSync(log);
  }
}

function started(child: ChildProcess): Promise<number> {
  child.unref();
  const { pid } = child;
  if (pid !== undefined) return Promise.resolve(pid);
  return new Promise((_, reject) => {
    child.once("error", reject);
  });
}

const exitOf = (child: ChildProcess): Promise<string> =>
  new Promise((resolve) => {
    child.once("exit", (code, signal) => resolve(signal ? `was killed by ${signal}` : `ended with ${code}`));
  });

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = net.createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}

type ServerLogin = Pick<LaunchedServer, "port" | "password">;

const clientOf = ({ port, password }: ServerLogin): Client =>
  new Client({
    host: "127.0.0.1",
    port,
    user: "postgres",
    password,
    database: "postgres",
    connectionTimeoutMillis: LOGIN_TIMEOUT_MS,
  });

async function logIn(server: ServerLogin): Promise<boolean> {
  const client = clientOf(server);
  client.on("error", () => undefined);
  try {
    await client.connect();
    return true;
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "28P01") throw cause;
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
