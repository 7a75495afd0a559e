import http from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { CodeSource } from "./code-source";
import type { LaunchedWorkerd } from "./launch-workerd";
import type { WorkerdLimits } from "./limits";
import { type ProcessUsage, processUsage } from "./process-usage";
import { NotBegun, RunningCall } from "./running-call";
import { type WorkerCall, WorkerFailure, type WorkerFailureReason, type WorkerReply } from "./worker-call";

const TICK_MS = 100;
/** How long after its connections a process ends at most, when it crashes. */
const EXIT_MS = 2000;
/** A process that is not given the processor is not blocked by its workers. */
const BUSY_SHARE = 0.4;
/** Of a heap, with what V8 keeps free for its own work. */
const FULL_SHARE = 0.6;

/** Why a process is killed, in the sentence for the call that caused it. */
const ENDS = {
  blocked: (limits: WorkerdLimits) =>
    `The code computed for more than ${limits.blockedMs} ms without a pause, and was ended.`,
  out_of_memory: (limits: WorkerdLimits) =>
    `The code used too much memory and was ended: a heap may have ${limits.heapMegabytesMax} MB, and the functions of a project together ${Math.round(limits.residentBytesMax / 1024 ** 2)} MB.`,
  interrupted: () => "The process of the code ended while it ran.",
} satisfies Partial<Record<WorkerFailureReason, (limits: WorkerdLimits) => string>>;
type End = keyof typeof ENDS;

/** The worker may still compute. */
const UNFINISHED: ReadonlySet<WorkerFailureReason> = new Set(["timed_out", "aborted", "response_too_large"]);

const INNOCENT =
  "Other code of the project that ran at the same time was ended because it computed without a pause or used too much memory, and this call with it. It may have taken effect.";

/** One process of workers, and the watch over it: an endless loop or too much memory ends it within 2 seconds. */
export class WorkerProcess {
  readonly #launched: LaunchedWorkerd;
  readonly #source: CodeSource;
  readonly #limits: WorkerdLimits;
  readonly #agent = new http.Agent({ keepAlive: true });
  readonly #running = new Set<RunningCall>();
  readonly #watch: NodeJS.Timeout;
  /** Calls that ended late since the process last responded: one of them may block it. */
  #late = 0;
  #isPinging = false;
  #silentTicks = 0;
  #atResponse: ProcessUsage = { cpuMs: 0, residentBytes: 0 };
  #end: End = "interrupted";
  #hasEnded = false;
  #begunAtEnd: number | undefined;
  /** Calls that are running or are about to run. */
  calls = 0;
  lastUsedAtMs = Date.now();

  constructor(launched: LaunchedWorkerd, source: CodeSource, limits: WorkerdLimits) {
    this.#launched = launched;
    this.#source = source;
    this.#limits = limits;
    this.#watch = setInterval(() => this.#look(), TICK_MS);
    this.#watch.unref();
    void launched.exited.then((words) => this.#finish(words));
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** It has grown, and is better replaced. */
  get isLarge(): boolean {
    return (this.#usage()?.residentBytes ?? 0) > this.#limits.residentBytesKept;
  }

  /** Throws `NotBegun` if the worker certainly has not begun, and `WorkerFailure`. */
  async call(call: WorkerCall): Promise<WorkerReply> {
    this.calls++;
    if (this.#running.size === 0 && this.#late === 0) this.#recordResponse();
    try {
      return await this.#source.during(call, () => this.#run(call));
    } finally {
      this.calls--;
      this.lastUsedAtMs = Date.now();
    }
  }

  async close(): Promise<void> {
    this.#launched.kill();
    await this.#launched.close();
  }

  async #run(call: WorkerCall): Promise<WorkerReply> {
    if (this.#hasEnded) throw new NotBegun();
    const running = new RunningCall({ call, agent: this.#agent, socket: this.#launched.socket });
    this.#running.add(running);
    try {
      return await running.reply;
    } catch (failure) {
      if (failure instanceof WorkerFailure && running.hasBegun && UNFINISHED.has(failure.reason)) this.#late++;
      if (failure instanceof WorkerFailure || failure instanceof NotBegun) throw failure;
      throw await this.#explained(running);
    } finally {
      this.#running.delete(running);
    }
  }

  /** A broken connection is the first sign of the end of the process, which says why. */
  async #explained(running: RunningCall): Promise<Error> {
    const { exited } = this.#launched;
    if (running.hasBegun) return this.#failureOf(running, await Promise.race([exited, sleep(EXIT_MS, "")]));
    // An idle connection may also have been closed just before it was used.
    await Promise.race([exited, sleep(TICK_MS)]);
    return new NotBegun();
  }

  /** One round of the watch. */
  #look(): void {
    if (this.#running.size === 0 && this.#late === 0) return;
    const usage = this.#usage();
    if (!usage || this.#hasEnded) return;
    this.#silentTicks++;
    if (usage.residentBytes > this.#limits.residentBytesMax) this.#kill("out_of_memory");
    else if (this.#isBlocked(usage)) this.#kill(this.#hasFilledHeap(usage) ? "out_of_memory" : "blocked");
    else this.#ping();
  }

  #isBlocked({ cpuMs }: ProcessUsage): boolean {
    const { blockedMs } = this.#limits;
    return this.#silentTicks * TICK_MS > blockedMs && cpuMs - this.#atResponse.cpuMs > blockedMs * BUSY_SHARE;
  }

  /** A heap that is nearly full keeps V8 from anything but collecting garbage for a while before it gives up. */
  #hasFilledHeap({ residentBytes }: ProcessUsage): boolean {
    const heapBytesMax = this.#limits.heapMegabytesMax * 1024 ** 2;
    return residentBytes - this.#atResponse.residentBytes > heapBytesMax * FULL_SHARE;
  }

  #ping(): void {
    if (this.#isPinging) return;
    this.#isPinging = true;
    const done = (isAlive: boolean) => {
      this.#isPinging = false;
      if (isAlive) this.#recordResponse();
    };
    http
      .get({ agent: this.#agent, socketPath: this.#launched.socket }, (response) => {
        response.resume().once("end", () => done(true));
      })
      .once("error", () => done(false));
  }

  #recordResponse(): void {
    this.#silentTicks = 0;
    this.#late = 0;
    this.#atResponse = this.#usage() ?? this.#atResponse;
  }

  #kill(end: End): void {
    this.#end = end;
    this.#hasEnded = true;
    this.#launched.kill();
  }

  #finish(words: string): void {
    this.#hasEnded = true;
    clearInterval(this.#watch);
    for (const running of this.#running) running.fail(this.#failureOf(running, words));
    this.#agent.destroy();
    void this.#launched.close();
  }

  #failureOf(running: RunningCall, words: string): Error {
    if (!running.hasBegun) return new NotBegun();
    const end = this.#end === "interrupted" && words.includes("out of memory") ? "out_of_memory" : this.#end;
    this.#begunAtEnd ??= [...this.#running].filter(({ hasBegun }) => hasBegun).length;
    const isCause = end === "interrupted" || (this.#begunAtEnd === 1 && this.#late === 0);
    return isCause ? new WorkerFailure(end, ENDS[end](this.#limits)) : new WorkerFailure("interrupted", INNOCENT);
  }

  #usage() {
    return processUsage(this.#launched.pid);
  }
}
