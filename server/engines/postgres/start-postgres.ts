import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type FileLock, takeLock } from "../file-lock.mjs";
import { type ClusterPaths, clusterPaths } from "./cluster-paths";
import { initCluster } from "./init-cluster";
import { findBinaries, type NativeBinaries } from "./native-binaries";
import { createDatabase, explainFailure, launchServer, waitForLogin } from "./run-server";
import { hasLiveOwner, ownServer } from "./server-owner";
import { runningServer, stopServer } from "./server-pid.mjs";
import { chooseServerUser } from "./server-user";

const LOCK_POLL_MS = 50;
const LOCK_WAIT_MS = 60_000;
const STOP_GRACE_MS = 10_000;
const DATABASE = "svc";

export interface StartPostgres {
  /** The folder that holds package.json. */
  rootDir: string;
  /** svc's data directory; the cluster is its subfolder `postgres`. */
  dataDir: string;
  log?: ((line: string) => void) | undefined;
  /** Server settings over ours, such as `{ fsync: "off" }` for throw-away clusters. */
  settings?: Readonly<Record<string, string>> | undefined;
  /** Default: any free port of the loopback address. */
  choosePort?: (() => Promise<number>) | undefined;
}

export interface RunningPostgres {
  /** A `postgresql://` URL of the database `svc`, with the superuser's password. */
  url: string;
  pid: number;
  /** It was running already. */
  adopted: boolean;
  /** The cluster was created by this call. */
  fresh: boolean;
  /** Resolves when the server has exited. A server that belongs to another live process is left running. */
  stop(): Promise<void>;
}

/**
 * Starts the embedded PostgreSQL on 127.0.0.1, or adopts the one that a dead process left running on this data
 * directory. Runs as `nobody` when this process is root, wherever the data directory lies. Calls from several processes
 * take turns. Rejects with one sentence that says what to do.
 */
export async function startPostgres(options: StartPostgres): Promise<RunningPostgres> {
  const paths = clusterPaths(options.dataDir);
  try {
    mkdirSync(options.dataDir, { recursive: true, mode: 0o700 });
    const lock = await waitForLock(paths.lock);
    try {
      return await startAlone(options, paths);
    } finally {
      lock.release();
    }
  } catch (cause) {
    throw explainFailure(cause, options.dataDir);
  }
}

async function startAlone(options: StartPostgres, paths: ClusterPaths): Promise<RunningPostgres> {
  const adopted = await adopt(options, paths);
  if (adopted) return adopted;

  const user = chooseServerUser(paths.cluster);
  const binaries = findBinaries({ rootDir: options.rootDir, dataDir: options.dataDir, user });
  const fresh = !existsSync(paths.cluster);
  const password = fresh ? newPassword(paths) : readPassword(paths);
  const durable = options.settings?.fsync !== "off";
  if (fresh) await initCluster({ binDir: binaries.dir, cluster: paths.cluster, user, password, durable });
  else checkVersion(paths, binaries);

  const owner = ownServer(options.rootDir, paths);
  try {
    const server = await launchServer({
      binDir: binaries.dir,
      paths,
      user,
      password,
      settings: options.settings ?? {},
      choosePort: options.choosePort,
    });
    await createDatabase(server, DATABASE);
    const stop = async () => {
      await stopServer(server, STOP_GRACE_MS);
      owner.release();
    };
    return { url: urlOf(server.port, password), pid: server.pid, adopted: false, fresh, stop };
  } catch (cause) {
    owner.release();
    throw cause;
  }
}

/** A server that belongs to a live process is only used; one whose process is dead gets a new owner. */
async function adopt({ rootDir, log }: StartPostgres, paths: ClusterPaths): Promise<RunningPostgres | undefined> {
  const running = runningServer(paths.cluster);
  if (!running) return undefined;
  const password = readPassword(paths);
  const borrowed = hasLiveOwner(paths);
  const owner = borrowed ? undefined : ownServer(rootDir, paths);
  const port = await waitForLogin({ cluster: paths.cluster, password, pid: running.pid });
  if (port === undefined) {
    owner?.release();
    return undefined;
  }
  log?.(`Postgres ${borrowed ? "is already running" : "was left running and is adopted"} (process ${running.pid}).`);
  const stop = async () => {
    if (!owner) return;
    await stopServer(running, STOP_GRACE_MS);
    owner.release();
  };
  return { url: urlOf(port, password), pid: running.pid, adopted: true, fresh: false, stop };
}

const urlOf = (port: number, password: string): string =>
  `postgresql://postgres:${password}@127.0.0.1:${port}/${DATABASE}`;

/** Other local users reach the loopback address too, so even the embedded server asks for a password. */
function newPassword(paths: ClusterPaths): string {
  const password = randomBytes(24).toString("base64url");
  writeFileSync(paths.password, password, { mode: 0o600 });
  return password;
}

function readPassword(paths: ClusterPaths): string {
  if (existsSync(paths.password)) return readFileSync(paths.password, "utf8").trim();
  throw new Error(
    `${paths.password} is missing, without which nobody can log in to the database beside it: restore that file, or delete ${paths.cluster} to begin with an empty database.`,
  );
}

function checkVersion(paths: ClusterPaths, { major }: NativeBinaries): void {
  const file = path.join(paths.cluster, "PG_VERSION");
  const found = existsSync(file) ? readFileSync(file, "utf8").trim() : "an unknown version";
  if (found === String(major)) return;
  throw new Error(
    `${paths.cluster} was written by PostgreSQL ${found} and this svc carries PostgreSQL ${major}: dump it with the old version and load it here, or set SVC_DATA_DIR to another folder.`,
  );
}

async function waitForLock(file: string): Promise<FileLock> {
  for (let waitedMs = 0; ; waitedMs += LOCK_POLL_MS) {
    const lock = takeLock(file);
    if (lock.taken) return lock;
    if (waitedMs >= LOCK_WAIT_MS) {
      throw new Error(
        `Process ${lock.pid} has been starting or stopping Postgres for a minute (${file}): end it, then start again.`,
      );
    }
    await sleep(LOCK_POLL_MS);
  }
}
