import { type ChildProcess, spawn } from "node:child_process";
import { chown, type FileHandle, mkdir, open, readFile, rm, writeFile } from "node:fs/promises";
import type { RequestListener } from "node:http";
import path from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { withTimeout } from "../../kernel/with-timeout";
import { PROGRAM_ENVIRONMENT } from "../programs/program-fields";
import type { Cgroups } from "../runtime/namespaces/cgroups";
import { type ClaimedUser, claimUser } from "./claim-user";
import type { WorkerdLimits } from "./limits";
import { listenOnSocket, type SocketServer } from "./socket-server";
import { SOCKETS, workerdConfig } from "./workerd-config";

const CONFIG_FILE = "config.capnp";
const START_TIMEOUT_MS = 15_000;
const WORDS_MAX = 4096;
/** Threads count as well. */
const PROCESSES_MAX = 128;
/** The watch, which says why, comes first. */
const MEMORY_MARGIN_BYTES = 256 * 1024 ** 2;

/**
 * `full`: a process sees neither the files nor the processes of the machine, and its system calls are filtered; `filter`:
 * only that. Its user and its network are always apart where that is possible.
 */
type Apart = "full" | "filter" | "none";

export interface Isolation {
  apart: Apart;
  /** Files of the machine that a process reads in `full`. */
  files: readonly string[];
}

export interface LaunchWorkerd {
  /** The path of workerd. */
  program: string;
  /** The folder of launch.pl and the dispatcher. */
  scripts: string;
  /** Does not exist yet; deleted when the process has ended. */
  dir: string;
  cgroups: Cgroups | undefined;
  isolation: Isolation;
  limits: WorkerdLimits;
  source: RequestListener;
  outbound: RequestListener;
}

export interface LaunchedWorkerd {
  pid: number;
  /** The path of the socket that accepts calls. */
  socket: string;
  /** Resolves when the process has ended, to the last part of what it wrote to its standard error. */
  exited: Promise<string>;
  /** Ends it at once. */
  kill(): void;
  /** Ends it, waits for that and deletes its folder. A second call does nothing more. */
  close(): Promise<void>;
}

/** Starts a process of workers; resolves when it accepts calls. Throws an Error with the reason. */
export async function launchWorkerd(launch: LaunchWorkerd): Promise<LaunchedWorkerd> {
  const { dir, cgroups } = launch;
  const user = await claimUser();
  const { uid } = user;
  await prepareFolder(launch, uid).catch((cause: unknown) => {
    user.release();
    throw cause;
  });
  const folder = await open(dir, "r");
  const servers: SocketServer[] = [];
  let child: ChildProcess | undefined;
  let exited: Promise<string> = Promise.resolve("");
  let pid: number | undefined;
  let closing: Promise<void> | undefined;
  const kill = () => killWorkerd(child, pid);
  const close = () => {
    closing ??= endAll({ kill, exited, servers, folder, user, launch });
    return closing;
  };
  try {
    const short = `/proc/self/fd/${folder.fd}`;
    servers.push(await listenOnSocket(`${short}/${SOCKETS.source}`, launch.source));
    servers.push(await listenOnSocket(`${short}/${SOCKETS.outbound}`, launch.outbound));
    child = await start(launch, uid);
    exited = exitOf(child);
    pid = await Promise.race([pidOf(child), failed(exited)]);
    if (cgroups) await limit(launch, cgroups, pid);
    await withTimeout(START_TIMEOUT_MS, Promise.race([listening(child), failed(exited)]), tooSlow);
    return { pid, socket: `${short}/${SOCKETS.calls}`, exited, kill, close };
  } catch (cause) {
    await close();
    throw cause;
  }
}

async function prepareFolder({ dir, scripts, limits }: LaunchWorkerd, uid: number): Promise<void> {
  await mkdir(dir, { mode: 0o700 });
  const dispatcher = await readFile(path.join(scripts, "dispatcher.mjs"), "utf8");
  await writeFile(path.join(dir, CONFIG_FILE), workerdConfig({ dispatcher, ...limits }));
  await chown(dir, uid, uid);
}

async function start({ program, scripts, dir, isolation }: LaunchWorkerd, uid: number): Promise<ChildProcess> {
  // workerd resolves paths from the root, where its user may not enter every folder.
  const config = await open(path.join(dir, CONFIG_FILE), "r");
  const workerd = [program, "serve", "--experimental", "--control-fd=3", "/proc/self/fd/0"];
  try {
    const { apart, files } = isolation;
    return spawn("perl", [path.join(scripts, "launch.pl"), apart, String(uid), files.join(":"), ...workerd], {
      cwd: dir,
      // A process group of its own: Ctrl-C in the terminal reaches svc only, which ends it last.
      detached: true,
      env: PROGRAM_ENVIRONMENT as NodeJS.ProcessEnv,
      stdio: [config.fd, "ignore", "pipe", "pipe", "pipe"],
    });
  } finally {
    await config.close();
  }
}

/** The kernel ends what grows faster than the watch can see. */
async function limit({ dir, limits }: LaunchWorkerd, cgroups: Cgroups, pid: number): Promise<void> {
  const memoryBytes = limits.residentBytesMax + MEMORY_MARGIN_BYTES;
  const { folders } = await cgroups.create(path.basename(dir), { memoryBytes, pids: PROCESSES_MAX });
  for (const folder of folders) await writeFile(path.join(folder, "cgroup.procs"), String(pid));
}

/** Of workerd, which can be a child of `child`. */
async function pidOf(child: ChildProcess): Promise<number> {
  const pid = Number.parseInt(await text(child.stdio[4] as Readable), 10);
  // The end of the process says why.
  return Number.isNaN(pid) ? new Promise(() => undefined) : pid;
}

/** Until the socket of calls is open. */
async function listening(child: ChildProcess): Promise<void> {
  let written = "";
  for await (const chunk of (child.stdio[3] as Readable).setEncoding("utf8")) {
    written += chunk;
    if (written.includes(`"socket":"${SOCKETS.calls}"`)) return;
  }
  // The end of the process says why.
  await new Promise(() => undefined);
}

async function failed(exited: Promise<string>): Promise<never> {
  const lines = (await exited).trim().split("\n");
  throw new Error(`workerd did not start: ${lines.find((line) => line.startsWith("error:")) ?? lines.at(-1) ?? ""}`);
}

function exitOf(child: ChildProcess): Promise<string> {
  let words = "";
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
    words = (words + chunk).slice(-WORDS_MAX);
  });
  return new Promise((resolve) => {
    child.once("close", () => resolve(words)).once("error", (cause) => resolve(cause.message));
  });
}

/** workerd itself, so that its parent, which waits for it, leaves no zombie. */
function killWorkerd(child: ChildProcess | undefined, pid: number | undefined): void {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  if (pid === undefined) return void child.kill("SIGKILL");
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has just ended.
  }
}

interface EndAll {
  kill: () => void;
  exited: Promise<string>;
  servers: readonly SocketServer[];
  folder: FileHandle;
  user: ClaimedUser;
  launch: LaunchWorkerd;
}

async function endAll({ kill, exited, servers, folder, user, launch: { dir, cgroups } }: EndAll): Promise<void> {
  kill();
  await exited;
  await Promise.all(servers.map((server) => server.close()));
  await folder.close();
  await cgroups?.remove(path.basename(dir)).catch(() => undefined);
  await rm(dir, { recursive: true, force: true });
  user.release();
}

const tooSlow = (): Error => new Error(`workerd did not start within ${START_TIMEOUT_MS} ms`);
