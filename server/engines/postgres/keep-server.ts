import { setTimeout as sleep } from "node:timers/promises";
import { processMark } from "../file-lock.mjs";
import { type Supervised, Supervisor } from "../supervisor";
import type { ClusterPaths } from "./cluster-paths";
import { explainFailure, type LaunchedServer, type LaunchServer, launchServer, waitForLogin } from "./run-server";
import type { Ownership } from "./server-owner";
import { type RunningServer, runningServer, stopServer } from "./server-pid.mjs";
import { waitForLock } from "./start-lock";

const STOP_GRACE_MS = 10_000;
/** Elsewhere than on Linux a look at a process costs a run of `ps`. */
const ADOPTED_POLL_MS = process.platform === "linux" ? 250 : 2000;

export interface KeepServer {
  dataDir: string;
  paths: ClusterPaths;
  owner: Ownership;
  /** What a restart runs, found anew each time: a clean-up may have taken the copy that ran until now. */
  findProgram: () => Pick<LaunchServer, "binDir" | "user">;
  settings: Readonly<Record<string, string>>;
  log?: ((line: string) => void) | undefined;
}

/** A server that takes log-ins. */
type LiveServer = Omit<LaunchedServer, "exited"> & { exited?: Promise<string> };

/**
 * Starts a server of ours again on its own port, with growing pauses, whenever it dies before `stop`. Each death is told
 * in one line, and so is each new reason why the server is still away.
 */
export function keepServer(first: LiveServer, kept: KeepServer): Supervisor<string> {
  const { log } = kept;
  let reason = "";
  return new Supervisor(supervised(first), {
    relaunch: async (signal) => {
      const server = supervised(await restart(first, kept, signal));
      if (reason) log?.(`Postgres runs again (process ${server.pid}).`);
      return server;
    },
    onDeath: (exit, pid) => {
      reason = "";
      log?.(`Postgres (process ${pid}) ${exit} and is started again; ${kept.paths.log} may tell why.`);
    },
    onFailure: (cause) => {
      const { message } = explainFailure(cause, kept.dataDir);
      if (message !== reason) log?.(`Postgres is still away: ${message.replaceAll(/\s+/g, " ")}`);
      reason = message;
    },
  });
}

const supervised = (server: LiveServer): Supervised<string> => ({
  pid: server.pid,
  exited: server.exited ?? exitOfStranger(server),
  stop: () => stopServer(server, STOP_GRACE_MS),
});

/** Only a parent hears of the end of a process; others look. */
async function exitOfStranger({ pid, mark }: Pick<RunningServer, "pid"> & { mark: string | undefined }) {
  while (mark !== undefined && processMark(pid) === mark) await sleep(ADOPTED_POLL_MS, undefined, { ref: false });
  return "died";
}

async function restart(
  { port, password }: LiveServer,
  { paths, owner, findProgram, settings }: KeepServer,
  signal: AbortSignal,
): Promise<LiveServer> {
  const lock = await waitForLock(paths, signal);
  try {
    if (!owner.isHeld()) {
      throw new Error(`${paths.cluster} is gone or belongs to another process now: stop svc, then start it again.`);
    }
    const other = runningServer(paths.cluster);
    if (!other) return await launchServer({ ...findProgram(), paths, password, settings, port, signal });
    // Somebody was faster by hand; with `pg_ctl restart`, say, which keeps the port.
    const found = await waitForLogin({ cluster: paths.cluster, password, pid: other.pid, signal });
    if (found === port) return { ...other, password };
    throw new Error(`Another server (process ${other.pid}) runs in ${paths.cluster}, not on port ${port}: stop it.`);
  } finally {
    lock.release();
  }
}
