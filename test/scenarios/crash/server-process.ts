import { type ChildProcess, execFileSync, fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { ResourceStep } from "../../../server/cloud/core/reconciler/steps";
import { buildWidget } from "../../../widget/build-widget.mjs";
import { eventually } from "../../factories/app";
import { freePort } from "../../factories/free-port";
import { madeOnce } from "../../factories/made-once";
import { fillDataDir } from "../../factories/prepared-data-dir";
import { SHORT_LIFE } from "../../factories/server-process";
import { bundleProgram } from "../../factories/test-program";
import type { Answer, AnyStep, Order } from "./orders";

const rootDir = path.resolve(import.meta.dirname, "../../..");
/** How long a start and a stop may take on a busy machine. */
const [STARTED_WITHIN_MS, STOPPED_WITHIN_MS] = [180_000, 60_000];

/** One data directory that servers come and go on. */
export interface Place {
  dataDir: string;
  port: number;
  program: string;
  /** Settings beside those that every place has. */
  env?: Record<string, string>;
  remove(): void;
}

/** svc with a trap in it, and a data directory on which a first start has been. */
export async function makePlace(): Promise<Place> {
  const place = await makeEmptyPlace();
  const start = async (dataDir: string) => startProcess({ ...place, dataDir, port: await freePort() });
  await fillDataDir(place.dataDir, { name: "crashing-server-data", start });
  return place;
}

/** svc with a trap in it, and an empty data directory. */
export async function makeEmptyPlace(): Promise<Place> {
  const base = mkdtempSync(path.join(os.tmpdir(), "svc-crash-"));
  const program = path.join(await madeOnce("crashing-server", bundle), "crashing-server.mjs");
  const remove = () => rmSync(base, { recursive: true, force: true });
  return { dataDir: path.join(base, "data"), port: await freePort(), program, remove };
}

async function bundle(dir: string): Promise<void> {
  const widget = path.join(rootDir, ".build/widget.js");
  if (!existsSync(widget)) await buildWidget({ rootDir, outFile: widget });
  await bundleProgram(path.join(import.meta.dirname, "crashing-server.ts"), path.join(dir, "crashing-server.mjs"));
}

export interface ServerProcess {
  url: string;
  child: ChildProcess;
  /** The channel and keys of the demo; `live` and `test` are platform keys. */
  keys: { server: string; live: string; test: string; tenantId: string };
  /** The demo's log-in. */
  dashboard: { email: string; password: string };
  /** How the process ended: its exit code, or the signal that killed it. */
  ended: Promise<number | NodeJS.Signals>;
  /** Kills the process at the `passes`-th time that it comes by a step from now on. */
  trap(step: AnyStep, passes?: number): Promise<void>;
  /** From now on every resource stops at this step, until the process is killed. */
  hold(step: ResourceStep): Promise<void>;
  rows(engine: "clickhouse" | "postgres" | "wal" | "held", query?: string): Promise<Record<string, unknown>[]>;
  /** SIGKILL, as the kernel or an operator sends it; resolves when the process is gone. */
  kill(): Promise<void>;
  /** SIGTERM; resolves with how the process ended. */
  stop(): Promise<number | NodeJS.Signals>;
}

/** Starts svc, with embedded engines unless the place names others, and waits until it serves; fails with what it printed. */
export async function startProcess(place: Omit<Place, "remove">): Promise<ServerProcess> {
  const { dataDir, port } = place;
  const url = `http://localhost:${port}`;
  const { child, said } = launch(place);
  const ended = new Promise<number | NodeJS.Signals>((resolve) => {
    child.once("exit", (code, signal) => resolve(signal ?? code ?? -1));
  });
  const ask = askOver(child, ended);
  await readyOf(child).catch((failure: unknown) => {
    child.kill("SIGKILL");
    throw new Error(`svc did not start (${String(failure)}):\n${said()}`);
  });
  const demo = JSON.parse(readFileSync(path.join(dataDir, "demo.json"), "utf8"));
  return {
    url,
    child,
    ended,
    keys: {
      server: demo.channel.server_key,
      live: demo.api.live_key,
      test: demo.api.test_key,
      tenantId: demo.api.tenant_id,
    },
    dashboard: demo.dashboard,
    trap: async (step, passes = 1) => void (await ask({ kind: "trap", step, passes })),
    hold: async (step) => void (await ask({ kind: "hold", step })),
    rows: async (engine, query = "") => (await ask({ kind: engine, query })).rows ?? [],
    kill: async () => {
      child.kill("SIGKILL");
      await ended;
    },
    stop: async () => {
      child.kill("SIGTERM");
      const late = setTimeout(() => child.kill("SIGKILL"), STOPPED_WITHIN_MS);
      return ended.finally(() => clearTimeout(late));
    },
  };
}

/** A server that dies at a step before or after it serves; resolves when it did. */
export async function startDoomed(place: Place, step: AnyStep): Promise<void> {
  const { child, said } = launch(place, [step]);
  const late = setTimeout(() => child.kill("SIGTERM"), STARTED_WITHIN_MS);
  const [code, signal] = await once(child, "exit");
  clearTimeout(late);
  if (signal !== "SIGKILL") throw new Error(`svc ended with ${signal ?? code} and not at ${step}:\n${said()}`);
}

/** A server that is killed so long after its start began; resolves when it and its engines are gone. */
export async function startKilled(place: Place, afterMs: number): Promise<void> {
  const { child } = launch(place);
  const ended = once(child, "exit");
  child.stderr?.once("data", () => setTimeout(() => child.kill("SIGKILL"), afterMs));
  const [code, signal] = await ended;
  if (signal !== "SIGKILL" && code !== 0) throw new Error(`svc ended with ${signal ?? code} before it was killed`);
  await noProcessesOf(place);
}

function launch({ dataDir, port, program, env: more = {} }: Omit<Place, "remove">, args: string[] = []) {
  const kept = ["PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH"].map((name) => [name, process.env[name] ?? ""]);
  const env = {
    ...Object.fromEntries(kept),
    SVC_DATA_DIR: dataDir,
    PORT: String(port),
    SVC_DEMO: "on",
    LOG_LEVEL: "error",
    ...more,
  };
  const child = fork(program, args, { env, execArgv: SHORT_LIFE, stdio: ["ignore", "pipe", "pipe", "ipc"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk) => {
      said = (said + chunk).slice(-8000);
    });
  }
  return { child, said: () => said };
}

function readyOf(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`not within ${STARTED_WITHIN_MS} ms`)), STARTED_WITHIN_MS);
    child.once("exit", (code, signal) => reject(new Error(`it ended with ${signal ?? code}`)));
    child.once("message", () => {
      clearTimeout(late);
      resolve();
    });
  });
}

type Unsent<O> = O extends unknown ? Omit<O, "id"> : never;

/** Orders and answers, by number; an order to a process that ends meanwhile fails. */
function askOver(child: ChildProcess, ended: Promise<unknown>): (order: Unsent<Order>) => Promise<Answer> {
  const open = new Map<number, (answer: Answer) => void>();
  let orders = 0;
  child.on("message", (answer: Answer) => open.get(answer.id ?? 0)?.(answer));
  return async (order) => {
    const id = ++orders;
    const answered = new Promise<Answer>((resolve) => open.set(id, resolve));
    child.send({ ...order, id }, () => undefined);
    const answer = await Promise.race([answered, ended.then(() => ({ failure: "the server has ended" }) as Answer)]);
    open.delete(id);
    if (answer.failure !== undefined) throw new Error(answer.failure);
    return answer;
  };
}

/** Living processes that name the place's data directory, apart from `except`: engines and their watchers. */
export function processesOf({ dataDir }: Place): { pid: number; command: string }[] {
  return execFileSync("ps", ["-axww", "-o", "pid=,args="], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes(dataDir) && !line.includes("ps -axww"))
    .map((line) => ({ pid: Number.parseInt(line, 10), command: line.trim() }));
}

/** Resolves when nothing of a place runs any more. */
export const noProcessesOf = (place: Place): Promise<void> =>
  eventually(() => processesOf(place).length === 0, STOPPED_WITHIN_MS);
