import { type ChildProcessByStdio, spawn } from "node:child_process";
import { realpathSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { Supervised } from "../supervisor";
import { servedDirectory } from "./find-clickhouse";
import { failureOf, portTaken, SidecarFailure } from "./sidecar-failure";

export interface SidecarExit {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** The end of what the engine wrote to stderr. */
  words: string;
}

/** Stopping takes a few seconds at most. */
export type Sidecar = Supervised<SidecarExit>;

export interface SidecarPlace {
  /** The absolute path of sidecar.mjs. */
  script: string;
  dir: string;
  configFile: string;
  port: number;
}

type Child = ChildProcessByStdio<Writable, null, Readable>;

const READY_MS = 60_000;
const PROBE_MS = 25;
const STOP_MS = 5_000;
const WORDS_MAX = 8_192;

/** Spawns the engine and waits until it answers on its port with its own directory; throws a `SidecarFailure`. */
export async function launchSidecar(place: SidecarPlace, signal: AbortSignal): Promise<Sidecar> {
  const { script, dir, configFile, port } = place;
  const child = spawn(
    process.execPath,
    [script, dir, String(port), `--config-file=${configFile}`, "--log-level=warning"],
    // Its own process group: Ctrl-C in the terminal reaches the server alone, which stops the engine last.
    { stdio: ["pipe", "ignore", "pipe"], detached: true },
  );
  // EPIPE when the child is already gone.
  child.stdin.on("error", () => {});
  const exited = exitOf(child);
  const sidecar = { pid: child.pid ?? 0, exited, stop: () => stopChild(child, exited) };
  try {
    await untilReady(place, exited, signal);
    return sidecar;
  } catch (cause) {
    await sidecar.stop();
    throw cause;
  }
}

function exitOf(child: Child): Promise<SidecarExit> {
  let words = "";
  child.stderr.on("data", (chunk: Buffer) => {
    words = (words + chunk.toString()).slice(-WORDS_MAX);
  });
  return new Promise((resolve) => {
    child.once("close", (code, signal) => resolve({ code, signal, words }));
    child.once("error", (cause) => resolve({ code: null, signal: null, words: String(cause) }));
  });
}

async function stopChild(child: Child, exited: Promise<SidecarExit>): Promise<void> {
  child.stdin.end();
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
  await exited;
  clearTimeout(timer);
}

async function untilReady(place: SidecarPlace, exited: Promise<SidecarExit>, signal: AbortSignal): Promise<void> {
  let exit: SidecarExit | undefined;
  void exited.then((how) => {
    exit = how;
  });
  for (const end = Date.now() + READY_MS; Date.now() < end; await sleep(PROBE_MS)) {
    signal.throwIfAborted();
    if (exit) throw failureOf(exit.words, { ...place, code: exit.code });
    const served = await servedDirectory(place.port);
    if (served === realpathSync(place.dir)) return;
    // An open port alone may belong to another server.
    if (served !== undefined) throw portTaken(place.port);
  }
  throw new SidecarFailure("other", `The embedded ClickHouse in ${place.dir} did not answer within ${READY_MS} ms.`);
}
