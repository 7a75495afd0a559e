import { chown, type FileHandle, mkdir, open, readFile, rm, writeFile } from "node:fs/promises";
import type { RequestListener } from "node:http";
import path from "node:path";
import { text } from "node:stream/consumers";
import { finished } from "node:stream/promises";
import { withTimeout } from "../../kernel/with-timeout";
import type { Program } from "../programs/program";
import { startProgram } from "../programs/start-program";
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
  /** The folder of the dispatcher, beside that of the Perl scripts. */
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
  let child: Program | undefined;
  let exited: Promise<string> = Promise.resolve("");
  let pid: number | undefined;
  let closing: Promise<void> | undefined;
  let isOver = false;
  const kill = () => {
    if (child && !isOver) killWorkerd(child, pid);
  };
  const close = () => {
    closing ??= endAll({ kill, exited, servers, folder, user, launch });
    return closing;
  };
  try {
    const short = `/proc/self/fd/${folder.fd}`;
    servers.push(await listenOnSocket(`${short}/${SOCKETS.source}`, launch.source));
    servers.push(await listenOnSocket(`${short}/${SOCKETS.outbound}`, launch.outbound));
    child = await start(launch, uid);
    exited = exitOf(child).finally(() => {
      isOver = true;
    });
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

/** In a session of its own: Ctrl-C in the terminal reaches svc only, which ends it last. */
function start({ program, scripts, dir, isolation }: LaunchWorkerd, uid: number): Promise<Program> {
  const { apart, files } = isolation;
  // workerd resolves paths from the root, where its user may not enter every folder.
  const workerd = [program, "serve", "--experimental", "--control-fd=3", "/proc/self/fd/0"];
  return startProgram({
    program: "perl",
    args: [path.join(scripts, "../perl/launch-workerd.pl"), apart, String(uid), files.join(":"), ...workerd],
    cwd: dir,
    descriptors: [{ read: path.join(dir, CONFIG_FILE) }, "none", "output", "output", "output"],
  });
}

/** The kernel ends what grows faster than the watch can see. */
async function limit({ dir, limits }: LaunchWorkerd, cgroups: Cgroups, pid: number): Promise<void> {
  const memoryBytes = limits.residentBytesMax + MEMORY_MARGIN_BYTES;
  const { folders } = await cgroups.create(path.basename(dir), { memoryBytes, pids: PROCESSES_MAX });
  for (const folder of folders) await writeFile(path.join(folder, "cgroup.procs"), String(pid));
}

/** Of workerd, which can be a child of `child`. */
async function pidOf(child: Program): Promise<number> {
  const pid = Number.parseInt(await text(child.output(4)), 10);
  // The end of the process says why.
  return Number.isNaN(pid) ? new Promise(() => undefined) : pid;
}

/** Until the socket of calls is open. */
async function listening(child: Program): Promise<void> {
  let written = "";
  for await (const chunk of child.output(3).setEncoding("utf8")) {
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

async function exitOf(child: Program): Promise<string> {
  let words = "";
  const errors = child.output(2).setEncoding("utf8");
  errors.on("data", (chunk: string) => {
    words = (words + chunk).slice(-WORDS_MAX);
  });
  const ended = finished(errors.resume()).catch(() => undefined);
  const failure = await child.exited.then(
    () => "",
    (cause: Error) => cause.message,
  );
  await ended;
  child.destroy();
  return words + failure;
}

/** workerd itself, so that its parent, which waits for it, leaves no zombie. */
function killWorkerd(child: Program, pid: number | undefined): void {
  try {
    if (pid === undefined) child.kill("SIGKILL");
    else process.kill(pid, "SIGKILL");
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
