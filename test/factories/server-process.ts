import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { Demo } from "../../server/ads/demo/open-demo";
import { freePort } from "./free-port";
import { fillDataDir } from "./prepared-data-dir";

export { freePort };

/** WebAssembly stays as it is compiled first: optimising what runs for half a minute costs a start a second of the processor. */
export const SHORT_LIFE = ["--liftoff-only"];

const rootDir = path.resolve(import.meta.dirname, "../..");
const PROGRAM = path.join(rootDir, ".build/server/main.mjs");
const READY_WITHIN_MS = 150_000;
const STOPPED_WITHIN_MS = 20_000;
const POLL_MS = 50;
/** Settings that change what a first start makes. */
const SETTINGS_OF_FIRST_START = ["SVC_DEMO", "SVC_SECRET"];
/** What a program needs of this machine's environment; svc's own settings come only from the test. */
const KEPT = ["PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH"];

/** An exit code, or the signal that killed the process. */
export type Ending = number | NodeJS.Signals;

export interface ServerOptions {
  /** Default: a temporary folder in which a first start has been, removed by `stop`. */
  dataDir?: string;
  port?: number;
  env?: Record<string, string>;
  /** Default: the built `.build/server/main.mjs`. */
  program?: string;
  /** Where `madeOnce` keeps the first start. Default: the folder of the run. */
  runFolder?: string;
}

export interface ServerProcess {
  url: string;
  port: number;
  dataDir: string;
  /** The content of demo.json; throws if there is none. */
  readonly demo: Demo;
  child: ChildProcess;
  /** Time from the start of the process until /readyz succeeded. */
  readyAfterMs: number;
  /** Everything that it printed. */
  said(): string;
  /**
   * Sends a signal (default SIGTERM) and resolves with how the process ended; a temporary data directory is removed.
   */
  stop(signal?: NodeJS.Signals): Promise<Ending>;
}

/**
 * Starts svc as `npm start` does, in a process of its own, and waits until it is ready; a failure contains its output.
 */
export async function startServerProcess(options: ServerOptions = {}): Promise<ServerProcess> {
  if (options.dataDir !== undefined) return startOn(options.dataDir, options);
  const own = await mkdtemp(path.join(os.tmpdir(), "svc-server-"));
  const remove = () => rm(own, { recursive: true, force: true });
  const dataDir = path.join(own, "data");
  try {
    if (!SETTINGS_OF_FIRST_START.some((name) => name in (options.env ?? {}))) {
      await fillDataDir(dataDir, {
        name: "server",
        start: (empty) => startServerProcess({ dataDir: empty }),
        folder: options.runFolder,
      });
    }
    const server = await startOn(dataDir, options);
    const { stop } = server;
    server.stop = (signal) => stop(signal).finally(remove);
    return server;
  } catch (failure) {
    await remove();
    throw failure;
  }
}

async function startOn(dataDir: string, options: ServerOptions): Promise<ServerProcess> {
  const port = options.port ?? (await freePort());
  const startedAt = performance.now();
  const { child, ended, said } = launch({ ...options, dataDir, port });
  const stop = async (signal: NodeJS.Signals = "SIGTERM"): Promise<Ending> => {
    const late = setTimeout(() => child.kill("SIGKILL"), STOPPED_WITHIN_MS);
    child.kill(signal);
    const ending = await ended;
    clearTimeout(late);
    return ending;
  };
  const url = `http://localhost:${port}`;
  try {
    await ready(`http://127.0.0.1:${port}/readyz`, ended);
  } catch (failure) {
    await stop("SIGKILL");
    throw new Error(`svc did not start (${String(failure)}):\n${said()}`);
  }
  const readyAfterMs = Math.round(performance.now() - startedAt);
  return {
    url,
    port,
    dataDir,
    child,
    readyAfterMs,
    said,
    stop,
    get demo() {
      return JSON.parse(readFileSync(path.join(dataDir, "demo.json"), "utf8")) as Demo;
    },
  };
}

export interface FailedStart {
  ending: Ending;
  /** Lines on standard error, except those that report a step (`… …`). */
  sentences: string[];
}

/** Starts svc in a situation in which it cannot start, and resolves when it has ended. */
export async function startInVain(options: ServerOptions & { dataDir: string }): Promise<FailedStart> {
  const { child, ended, errors } = launch({ ...options, port: options.port ?? (await freePort()) });
  const late = setTimeout(() => child.kill("SIGKILL"), READY_WITHIN_MS);
  const ending = await ended;
  clearTimeout(late);
  return { ending, sentences: sentencesOf(errors()) };
}

const sentencesOf = (errors: string): string[] =>
  errors.split("\n").filter((line) => line !== "" && !/^svc: .* …$/.test(line));

/** Starts svc, sends a signal as soon as it has printed `said`, and resolves with how the process ended. */
export async function interruptStart(
  options: ServerOptions & { dataDir: string },
  { said, signal }: { said: string; signal: NodeJS.Signals },
): Promise<FailedStart> {
  const { child, ended, errors } = launch({ ...options, port: options.port ?? (await freePort()) });
  const late = setTimeout(() => child.kill("SIGKILL"), READY_WITHIN_MS);
  let isSent = false;
  child.stderr.on("data", () => {
    if (isSent || !errors().includes(said)) return;
    isSent = true;
    child.kill(signal);
  });
  const ending = await ended;
  clearTimeout(late);
  return { ending, sentences: sentencesOf(errors()) };
}

function launch({ dataDir, port, env = {}, program = PROGRAM }: ServerOptions) {
  requireBuild();
  const kept = KEPT.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []));
  const child = spawn(process.execPath, [...SHORT_LIFE, program], {
    cwd: rootDir,
    env: {
      ...Object.fromEntries(kept),
      NODE_ENV: "production",
      // As npm start sets it.
      UV_THREADPOOL_SIZE: "16",
      NEXT_TELEMETRY_DISABLED: "1",
      LOG_LEVEL: "warn",
      // Without simulated traffic, so that reports hold what the test does; "" is the default of an installation.
      SVC_DEMO: "on",
      SVC_DATA_DIR: dataDir,
      PORT: String(port),
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const texts = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk) => {
    texts.stdout += chunk;
  });
  child.stderr.on("data", (chunk) => {
    texts.stderr += chunk;
  });
  // "close" comes after the last byte of output, "exit" may come before it.
  const ended = new Promise<Ending>((resolve) => child.once("close", (code, signal) => resolve(signal ?? code ?? -1)));
  return { child, ended, errors: () => texts.stderr, said: () => texts.stderr + texts.stdout };
}

function requireBuild(): void {
  const missing = [".next/BUILD_ID", ".build/server/main.mjs"].find((file) => !existsSync(path.join(rootDir, file)));
  if (missing) throw new Error(`${missing} is missing: npm test builds it; run the tests by that command.`);
}

async function ready(url: string, ended: Promise<Ending>): Promise<void> {
  let ending: Ending | undefined;
  void ended.then((value) => {
    ending = value;
  });
  for (const giveUpAt = Date.now() + READY_WITHIN_MS; Date.now() < giveUpAt; ) {
    if (ending !== undefined) throw new Error(`it ended with ${ending}`);
    const answer = await fetch(url).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error(`not ready within ${READY_WITHIN_MS / 1000} s`);
}
