import { PassThrough } from "node:stream";
import { WorkerFailure } from "../../../engines/workerd/worker-call";
import { START_WAIT_MS, untilStarted } from "../inside/until-started";
import { reachRun } from "../pods/reach-run";
import { startFailure } from "../pods/start-failure";
import { LoopProcess } from "./loop-process";
import { type FunctionPodsCtx, type PodVersion, podOfVersion } from "./pod-of-version";
import { type PodProgram, programCommand } from "./program-command";

/** The processes of a version end when they were not used for so long; its pod, a little later. */
const LOOP_IDLE_MS = 4 * 60_000;
const SWEEP_MS = 5000;
/** How often a pod that is used is marked as such. */
const NOTE_MS = 30_000;
/** How long code may take to load. */
const LOAD_MS = 20_000;
const LOADED_BYTES_MAX = 64 * 1024;
/** Node.js uses the proxy of the pod only then. */
const ENV = { NODE_USE_ENV_PROXY: "1" };

export interface FunctionCall extends PodVersion {
  program: PodProgram;
  load: () => Promise<{ code: string; entry: string }>;
  /** JSON with `payload` and `context`. */
  request: string;
  timeoutMs: number;
  bytesMax: number;
  signal?: AbortSignal | undefined;
}

interface Loop {
  process: LoopProcess;
  podId: string;
}

/** Runs functions in pods: one for each version, with a process for each call at a time, which is kept for later calls. */
export class FunctionPods {
  readonly #ctx: FunctionPodsCtx;
  readonly #rootDir: string;
  readonly #idle = new Map<string, Loop[]>();
  readonly #all = new Set<Loop>();
  readonly #notedAtMs = new Map<string, number>();
  readonly #sweeper: NodeJS.Timeout;

  constructor(ctx: FunctionPodsCtx, rootDir: string) {
    this.#ctx = ctx;
    this.#rootDir = rootDir;
    this.#sweeper = setInterval(() => this.#sweep(), SWEEP_MS);
    this.#sweeper.unref();
  }

  /** What the process answers. Throws WorkerFailure, and `unavailable` and `quota_exceeded`. */
  async call(call: FunctionCall): Promise<string> {
    const key = `${call.functionId}@${call.version}`;
    const loop = this.#takeIdle(key) ?? (await this.#start(call));
    this.#recordUse(loop.podId);
    const { request: line, timeoutMs, bytesMax, signal } = call;
    const reply = await loop.process.call({ line, timeoutMs, bytesMax, signal });
    this.#idle.set(key, [...(this.#idle.get(key) ?? []), loop]);
    return reply;
  }

  /** Ends the processes; the pods end when no other process of svc uses them. */
  close(): void {
    clearInterval(this.#sweeper);
    for (const { process } of this.#all) process.kill();
  }

  #takeIdle(key: string): Loop | undefined {
    const idle = this.#idle.get(key) ?? [];
    let loop = idle.pop();
    while (loop?.process.hasEnded) loop = idle.pop();
    return loop;
  }

  async #start(call: FunctionCall): Promise<Loop> {
    const podId = await podOfVersion(this.#ctx, call);
    const { signal = new AbortController().signal } = call;
    const pod = await untilStarted(this.#ctx, podId, { signal, ms: START_WAIT_MS });
    if (pod.status === "pending")
      throw new WorkerFailure("busy", "The image of the function is still being pulled, or it waits for capacity.");
    const reached = pod.status === "ready" ? await reachRun(this.#ctx, pod) : undefined;
    if (!reached)
      throw new WorkerFailure("load_failed", `The pod of the function does not run. ${pod.reasonText ?? ""}`.trim());
    const stdin = new PassThrough();
    const command = await programCommand(this.#rootDir, call.program);
    const execution = await reached.runtime.exec(reached.run.id, command, { stdin, env: ENV }).catch(startFailure);
    const loop = { process: new LoopProcess(execution, stdin), podId };
    this.#all.add(loop);
    void execution.exited.catch(() => undefined).then(() => this.#all.delete(loop));
    await load(loop.process, call);
    return loop;
  }

  #recordUse(podId: string): void {
    const { db, clock } = this.#ctx;
    const now = Date.now();
    if (now - (this.#notedAtMs.get(podId) ?? 0) < NOTE_MS) return;
    this.#notedAtMs.set(podId, now);
    void db.functionPod.updateMany({ where: { id: podId }, data: { usedAt: clock.now() } }).catch(() => undefined);
  }

  #sweep(): void {
    const before = Date.now() - LOOP_IDLE_MS;
    for (const [key, loops] of this.#idle) {
      const kept = loops.filter(({ process }) => !process.hasEnded && process.lastUsedAtMs > before);
      for (const loop of loops) if (!kept.includes(loop)) loop.process.kill();
      if (kept.length > 0) this.#idle.set(key, kept);
      else this.#idle.delete(key);
    }
    for (const [podId, at] of this.#notedAtMs) if (at < before) this.#notedAtMs.delete(podId);
  }
}

/** Gives a process its code. Throws WorkerFailure (`load_failed`) for code that does not load. */
async function load(loop: LoopProcess, call: FunctionCall): Promise<void> {
  const limits = { timeoutMs: LOAD_MS, bytesMax: LOADED_BYTES_MAX, signal: call.signal };
  const text = await loop.call({ line: JSON.stringify(await call.load()), ...limits }).catch((cause: unknown) => {
    loop.kill();
    const isFinal = cause instanceof WorkerFailure && cause.reason !== "aborted";
    throw isFinal ? new WorkerFailure("load_failed", cause.message) : cause;
  });
  const { loaded, error } = JSON.parse(text) as { loaded: boolean; error?: { message: string } };
  if (loaded) return;
  loop.kill();
  throw new WorkerFailure("load_failed", error?.message ?? "The code does not load.");
}
