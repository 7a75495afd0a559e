import { setTimeout as sleep } from "node:timers/promises";
import { processMark } from "../file-lock.mjs";
import { type Supervised, Supervisor } from "../supervisor";
import type { ClusterPaths } from "./cluster-paths";
import { explainFailure, type LaunchedServer, type LaunchServer, launchServer, waitForLogin } from "./run-server";
import type { Ownership } from "./server-owner";
import { type RunningServer, runningServer, stopServer } from "./server-pid.mjs";
import { waitForLock } from "./start-lock";

const STOP_GRACE_MS = 10_000;
/** Outside Linux, checking a process means running `ps`. */
const ADOPTED_POLL_MS = process.platform === "linux" ? 250 : 2000;

export interface KeepServer {
  dataDir: string;
  paths: ClusterPaths;
  owner: Ownership;
  /** Looks up what a restart runs, each time: a clean-up may have removed the copy that was used so far. */
  findProgram: () => Pick<LaunchServer, "binDir" | "user">;
  settings: Readonly<Record<string, string>>;
  log?: ((line: string) => void) | undefined;
}

/** A server that accepts logins. */
type LiveServer = Omit<LaunchedServer, "exited"> & { exited?: Promise<string> };

/**
 * Restarts one of our servers on its own port, with growing pauses, whenever it exits before `stop`. Logs one line for
 * each exit, and one for each new reason why the server is still unavailable.
 */
export function keepServer(first: LiveServer, kept: KeepServer): Supervisor<string> {
  const { log } = kept;
  let reason = "";
  return new Supervisor(supervised(first), {
    relaunch: async (signal) => {
      const server = supervised(await restart(first, kept, signal));
      if (reason) log?.(`Postgres is running again (process ${server.pid}).`);
      return server;
    },
    onDeath: (exit, pid) => {
      reason = "";
      log?.(`Postgres (process ${pid}) ${exit} and is being restarted; ${kept.paths.log} may show why.`);
    },
    onFailure: (cause) => {
      const { message } = explainFailure(cause, kept.dataDir);
      if (message !== reason) log?.(`Postgres is still unavailable: ${message.replaceAll(/\s+/g, " ")}`);
      reason = message;
    },
  });
}

const supervised = (server: LiveServer): Supervised<string> => ({
  pid: server.pid,
  exited: server.exited ?? exitOfStranger(server),
  stop: () => stopServer(server, STOP_GRACE_MS),
});

/** Only a parent is notified of the end of a process; others poll. */
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
      throw new Error(`${paths.cluster} was removed or belongs to another process now: stop svc, then start it again.`);
    }
    const other = runningServer(paths.cluster);
    if (!other) return await launchServer({ ...findProgram(), paths, password, settings, port, signal });
    // Someone may have restarted it by hand, for example with `pg_ctl restart`, which keeps the port.
    const found = await waitForLogin({ cluster: paths.cluster, password, pid: other.pid, signal });
    if (found === port) return { ...other, password };
    throw new Error(
      `Another server (process ${other.pid}) runs in ${paths.cluster} on a port other than ${port}: stop it.`,
    );
  } finally {
    lock.release();
  }
}
