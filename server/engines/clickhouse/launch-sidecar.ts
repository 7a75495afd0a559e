import { type ChildProcessByStdio, spawn } from "node:child_process";
import { closeSync } from "node:fs";
import path from "node:path";
import type { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { openUnlinked } from "../open-unlinked";
import type { Supervised } from "../supervisor";
import type { Confined } from "./confinement-warning";
import { isServedBy } from "./engine-access";
import { configText, type EngineConfig, usersText } from "./engine-config";
import { failureOf, portTaken, SidecarFailure } from "./sidecar-failure";

export interface SidecarExit {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** The last part of the engine's stderr output. */
  words: string;
}

/** Stopping takes a few seconds at most. */
export interface Sidecar extends Supervised<SidecarExit> {
  /** What the kernel restricts for the engine. */
  confined: Promise<Confined>;
}

export interface SidecarPlace extends EngineConfig {
  /** The absolute path of sidecar.mjs. */
  script: string;
  port: number;
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

const READY_MS = 60_000;
const PROBE_MS = 25;
const STOP_MS = 5_000;
const WORDS_MAX = 8_192;

/** Spawns the engine and waits until it accepts requests on its port; throws a `SidecarFailure`. */
export async function launchSidecar(place: SidecarPlace, signal: AbortSignal): Promise<Sidecar> {
  const child = spawnSidecar(place);
  // EPIPE if the child has already exited.
  child.stdin.on("error", () => {});
  const exited = exitOf(child);
  const sidecar = { pid: child.pid ?? 0, exited, confined: confinedOf(child), stop: () => stopChild(child, exited) };
  try {
    await untilReady(place, exited, signal);
    return sidecar;
  } catch (cause) {
    await sidecar.stop();
    throw cause;
  }
}

/**
 * Secrets are passed in unlinked files, so that they appear in no argument and in no file that other processes can
 * open.
 */
function spawnSidecar(place: SidecarPlace): Child {
  const { script, dir, port } = place;
  const files: number[] = [];
  try {
    files.push(openUnlinked(path.join(dir, "svc-config.xml"), configText(place)));
    files.push(openUnlinked(path.join(dir, "svc-users.xml"), usersText(place)));
    return spawn(
      process.execPath,
      [script, dir, String(port), "--config-file=/dev/fd/3", "--log-level=warning"],
      // A separate process group: Ctrl-C in the terminal signals only the server, which stops the engine last.
      { stdio: ["pipe", "pipe", "pipe", ...files], detached: true, env: ENVIRONMENT },
    ) as Child;
  } catch (cause) {
    throw failureOf(String(cause), { ...place, code: null });
  } finally {
    for (const fd of files) closeSync(fd);
  }
}

/**
 * Does not pass on this process's environment, which may contain secrets. The time zone is the one of the event tables.
 */
const ENVIRONMENT = { NODE_ENV: "production" as const, TZ: "UTC" };

/** The listener also drains the pipe. */
function confinedOf(child: Child): Promise<Confined> {
  return new Promise((resolve) => {
    child.stdout.on("data", (chunk: Buffer) => resolve(chunk.toString().split("\n")[0] as Confined));
  });
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
    const isOurs = await isServedBy(place.port, place.access);
    if (isOurs) return;
    // An open port is no proof: another server may use it.
    if (isOurs === false) throw portTaken(place.port);
  }
  throw new SidecarFailure("other", `The embedded ClickHouse in ${place.dir} did not respond within ${READY_MS} ms.`);
}
