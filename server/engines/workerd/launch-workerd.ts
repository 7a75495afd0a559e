import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { chown, type FileHandle, mkdir, open, readFile, rm, writeFile } from "node:fs/promises";
import type { RequestListener } from "node:http";
import path from "node:path";
import type { Readable } from "node:stream";
import { withTimeout } from "../../kernel/with-timeout";
import type { Cgroups } from "../runtime/namespaces/cgroups";
import { SCRIPT_ENVIRONMENT } from "../runtime/namespaces/run-script";
import type { WorkerdLimits } from "./limits";
import { listenOnSocket, type SocketServer } from "./socket-server";
import { SOCKETS, workerdConfig } from "./workerd-config";

/** Users that no account has, after those of workloads: one for each process, so that none can reach another's. */
const FIRST_UID = 1_900_100_000;
const UIDS = 65_536;
const CONFIG_FILE = "config.capnp";
const START_TIMEOUT_MS = 15_000;
const WORDS_MAX = 4096;
/** Threads count as well. */
const PROCESSES_MAX = 128;
/** The watch, which says why, comes first. */
const MEMORY_MARGIN_BYTES = 256 * 1024 ** 2;

export interface LaunchWorkerd {
  /** The path of workerd. */
  program: string;
  /** The folder of launch.pl and the dispatcher. */
  scripts: string;
  /** Does not exist yet; deleted when the process has ended. */
  dir: string;
  cgroups: Cgroups | undefined;
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
  const uid = process.getuid?.() === 0 ? FIRST_UID + randomInt(UIDS) : (process.getuid?.() ?? 0);
  await prepareFolder(launch, uid);
  const folder = await open(dir, "r");
  const servers: SocketServer[] = [];
  let child: ChildProcess | undefined;
  let exited: Promise<string> = Promise.resolve("");
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= endAll({ child, exited, servers, folder, launch });
    return closing;
  };
  try {
    const short = `/proc/self/fd/${folder.fd}`;
    servers.push(await listenOnSocket(`${short}/${SOCKETS.source}`, launch.source));
    servers.push(await listenOnSocket(`${short}/${SOCKETS.outbound}`, launch.outbound));
    child = await start(launch, uid);
    exited = exitOf(child);
    const { pid } = child;
    if (pid === undefined) throw new Error(await exited);
    if (cgroups) await limit(launch, cgroups, pid);
    await withTimeout(START_TIMEOUT_MS, Promise.race([listening(child), failed(exited)]), tooSlow);
    return { pid, socket: `${short}/${SOCKETS.calls}`, exited, kill: () => child?.kill("SIGKILL"), close };
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

async function start({ program, scripts, dir }: LaunchWorkerd, uid: number): Promise<ChildProcess> {
  // workerd resolves paths from the root, where its user may not enter every folder.
  const config = await open(path.join(dir, CONFIG_FILE), "r");
  const workerd = [program, "serve", "--experimental", "--control-fd=3", "/proc/self/fd/0"];
  try {
    return spawn("perl", [path.join(scripts, "launch.pl"), String(uid), ...workerd], {
      cwd: dir,
      // A process group of its own: Ctrl-C in the terminal reaches svc only, which ends it last.
      detached: true,
      env: SCRIPT_ENVIRONMENT as NodeJS.ProcessEnv,
      stdio: [config.fd, "ignore", "pipe", "pipe"],
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

/** Until the socket of calls is open. */
async function listening(child: ChildProcess): Promise<void> {
  let text = "";
  for await (const chunk of (child.stdio[3] as Readable).setEncoding("utf8")) {
    text += chunk;
    if (text.includes(`"socket":"${SOCKETS.calls}"`)) return;
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

interface EndAll {
  child: ChildProcess | undefined;
  exited: Promise<string>;
  servers: readonly SocketServer[];
  folder: FileHandle;
  launch: LaunchWorkerd;
}

async function endAll({ child, exited, servers, folder, launch: { dir, cgroups } }: EndAll): Promise<void> {
  child?.kill("SIGKILL");
  await exited;
  await Promise.all(servers.map((server) => server.close()));
  await folder.close();
  await cgroups?.remove(path.basename(dir)).catch(() => undefined);
  await rm(dir, { recursive: true, force: true });
}

const tooSlow = (): Error => new Error(`workerd did not start within ${START_TIMEOUT_MS} ms`);
