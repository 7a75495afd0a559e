import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type ClusterPaths, clusterPaths } from "./cluster-paths";
import { initCluster } from "./init-cluster";
import { keepServer } from "./keep-server";
import { findBinaries, type NativeBinaries } from "./native-binaries";
import { createDatabase, explainFailure, launchServer, waitForLogin } from "./run-server";
import { liveOwner, type Ownership, ownServer } from "./server-owner";
import { type RunningServer, runningServer, stopServer } from "./server-pid.mjs";
import { chooseServerUser, type ServerUser } from "./server-user";
import { waitForTurn } from "./start-lock";

const GIVE_UP_GRACE_MS = 2000;
const DATABASE = "svc";

export interface StartPostgres {
  /** The folder that contains package.json. */
  rootDir: string;
  /** svc's data directory; the cluster is its subfolder `postgres`. */
  dataDir: string;
  /** Receives one line for each unusual event: an adoption, a crash, a reason why the server is still unavailable. */
  log?: ((line: string) => void) | undefined;
  /** Server settings that override ours, such as `{ fsync: "off" }` for temporary clusters. */
  settings?: Readonly<Record<string, string>> | undefined;
  /** Default: any free port of the loopback address. */
  choosePort?: (() => Promise<number>) | undefined;
}

export interface RunningPostgres {
  /** A `postgresql://` URL of the database `svc`, with the superuser's password. */
  url: string;
  /** Changes when the server is restarted after a crash. */
  readonly pid: number;
  /** The server was already running. */
  adopted: boolean;
  /** The cluster was created by this call. */
  fresh: boolean;
  /** Resolves when the server has exited. A server that belongs to another live process keeps running. */
  stop(): Promise<void>;
}

/**
 * Starts the embedded PostgreSQL on 127.0.0.1, or adopts the one that a dead process left running on this data
 * directory, and restarts it on the same port whenever it exits before `stop`. If this process is root, the server runs
 * as a user id of its own, wherever the data directory is. Calls from several processes take turns; a server that
 * belongs to another live process is only used. Rejects with one sentence that says what to do.
 */
export async function startPostgres(options: StartPostgres): Promise<RunningPostgres> {
  const paths = clusterPaths(options.dataDir);
  try {
    mkdirSync(options.dataDir, { recursive: true, mode: 0o700 });
    for (;;) {
      const server = await inTurn(paths, () => startAlone(options, paths));
      if (server) return server;
    }
  } catch (cause) {
    throw explainFailure(cause, options.dataDir);
  }
}

async function inTurn<T>(paths: ClusterPaths, act: () => Promise<T>): Promise<T> {
  const lock = await waitForTurn(paths);
  try {
    return await act();
  } finally {
    lock.release();
  }
}

/** Undefined if the server of another live process has just exited; that process restarts it. */
async function startAlone(options: StartPostgres, paths: ClusterPaths): Promise<RunningPostgres | undefined> {
  const running = runningServer(paths.cluster);
  if (liveOwner(paths) !== undefined) return running && (await borrow(running, options, paths));
  const adopted = running && (await adopt(running, options, paths));
  if (adopted) return adopted;

  const fresh = !existsSync(paths.cluster);
  const { binDir, user } = findProgram(options, paths);
  const password = fresh ? newPassword(paths) : readPassword(paths);
  const settings = options.settings ?? {};
  const durable = settings.fsync !== "off";
  if (fresh) await initCluster({ binDir, cluster: paths.cluster, user, password, durable });

  const owner = ownServer(options.rootDir, paths);
  try {
    const { choosePort } = options;
    const server = await launchServer({ binDir, paths, user, password, settings, choosePort });
    await createDatabase(server, DATABASE).catch(async (cause: unknown) => {
      await stopServer(server, GIVE_UP_GRACE_MS);
      throw cause;
    });
    return keep(server, { options, paths, owner, adopted: false, fresh });
  } catch (cause) {
    owner.release();
    throw cause;
  }
}

/** Takes over a server whose owner is dead; undefined if it exits instead. */
async function adopt(
  running: RunningServer,
  options: StartPostgres,
  paths: ClusterPaths,
): Promise<RunningPostgres | undefined> {
  const password = readPassword(paths);
  const owner = ownServer(options.rootDir, paths);
  const port = await waitForLogin({ cluster: paths.cluster, password, pid: running.pid });
  if (port === undefined) {
    owner.release();
    return undefined;
  }
  options.log?.(`Postgres was left running and is adopted (process ${running.pid}).`);
  return keep({ ...running, port, password }, { options, paths, owner, adopted: true, fresh: false });
}

/** Uses a server that belongs to a live process; undefined if it exits instead. */
async function borrow(
  { pid }: RunningServer,
  { log }: StartPostgres,
  paths: ClusterPaths,
): Promise<RunningPostgres | undefined> {
  const password = readPassword(paths);
  const port = await waitForLogin({ cluster: paths.cluster, password, pid });
  if (port === undefined) return undefined;
  log?.(`Postgres is already running (process ${pid}).`);
  return { url: urlOf(port, password), pid, adopted: true, fresh: false, stop: async () => undefined };
}

interface Kept extends Pick<RunningPostgres, "adopted" | "fresh"> {
  options: StartPostgres;
  paths: ClusterPaths;
  owner: Ownership;
}

function keep(server: Parameters<typeof keepServer>[0], { options, paths, owner, adopted, fresh }: Kept) {
  const { dataDir, settings = {}, log } = options;
  const kept = keepServer(server, {
    dataDir,
    paths,
    owner,
    settings,
    log,
    findProgram: () => findProgram(options, paths),
  });
  return {
    url: urlOf(server.port, server.password),
    get pid() {
      return kept.pid;
    },
    adopted,
    fresh,
    stop: async () => {
      await kept.stop();
      owner.release();
    },
  };
}

/** The programs that can read the cluster, and the user to run them as. */
function findProgram({ rootDir, dataDir }: StartPostgres, paths: ClusterPaths): { binDir: string; user: ServerUser } {
  const user = chooseServerUser(paths.cluster);
  const binaries = findBinaries({ rootDir, dataDir, user });
  if (existsSync(paths.cluster)) checkVersion(paths, binaries);
  return { binDir: binaries.dir, user };
}

const urlOf = (port: number, password: string): string =>
  `postgresql://postgres:${password}@127.0.0.1:${port}/${DATABASE}`;

/** Other local users can reach the loopback address too, so even the embedded server requires a password. */
function newPassword(paths: ClusterPaths): string {
  const password = randomBytes(24).toString("base64url");
  writeFileSync(paths.password, password, { mode: 0o600 });
  return password;
}

function readPassword(paths: ClusterPaths): string {
  if (existsSync(paths.password)) return readFileSync(paths.password, "utf8").trim();
  throw new Error(
    `${paths.password} is missing, and without it nobody can log in to the database: restore that file, or delete ${paths.cluster} to begin with an empty database.`,
  );
}

function checkVersion(paths: ClusterPaths, { major }: NativeBinaries): void {
  const file = path.join(paths.cluster, "PG_VERSION");
  const found = existsSync(file) ? readFileSync(file, "utf8").trim() : "an unknown version";
  if (found === String(major)) return;
  throw new Error(
    `${paths.cluster} was written by PostgreSQL ${found} and this version of svc contains PostgreSQL ${major}: dump the database with the old version and load it here, or set SVC_DATA_DIR to another folder.`,
  );
}
