import { type CallToolResult, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { Logger } from "pino";
import type { Counters } from "../../engines/counters/counters";
import type { StartedAlarms } from "../../engines/start-alarms";
import type { AgentTask, AgentTaskOutcome, TaskHolder } from "../../identity/agent-tasks/agent-task";
import type { AgentTaskStore } from "../../identity/agent-tasks/agent-task-store";
import { ServiceError } from "../../kernel/errors";
import { exactJson } from "../../kernel/exact-number";

/** Calls that run in the background in one process, for one tenant and for all. */
const RUNNING_PER_TENANT = 20;
const RUNNING_MAX = 200;
/** Requests that wait for the end of a task. */
const WAITING_PER_TENANT = 20;
const WAITING_MAX = 1000;
/** Of one result, as JSON. */
const RESULT_BYTES_MAX = 4 * 1024 * 1024;
const RENEW_MS = 5000;
/** How long running calls have to end when the process stops. */
const STOP_MS = 5000;
/** The topic that tells every process which task has ended or was cancelled. */
const TASK_ENDED = "mcp:task_ended";
const TOPIC = "agent-tasks";

interface Parts {
  store: AgentTaskStore;
  counters: Pick<Counters, "publish" | "subscribe">;
  alarms: Pick<StartedAlarms, "add" | "wake">;
  log: Pick<Logger, "warn">;
}

/** A call in the background, which becomes a task when it is stored. */
export interface RunningCall {
  readonly tenantId: string;
  readonly ending: AbortController;
  /** Never rejects. */
  readonly outcome: Promise<AgentTaskOutcome>;
}

interface StoredCall {
  ending: AbortController;
  /** How it ended, if that could not be stored at the first try. */
  unstored?: AgentTaskOutcome;
  /** Resolves after the first try. */
  tried: Promise<void>;
}

/**
 * The calls of tools that this process runs in the background, and the requests that wait for the end of one. It renews
 * the leases of its tasks; one that was cancelled, or has expired, loses it and its call is aborted.
 */
export class RunningTasks {
  readonly #parts: Parts;
  readonly #calls = new Set<RunningCall>();
  /** Tasks of this process until it has stored how they ended. */
  readonly #stored = new Map<string, StoredCall>();
  readonly #waiting = new Map<string, Set<{ tenantId: string; wake: () => void }>>();
  readonly #round: { stop(): Promise<void> };
  readonly #subscribed: Promise<() => Promise<void>>;
  #isStopping = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#round = parts.alarms.add({
      topic: TOPIC,
      purpose: "renew the leases of tasks of agents",
      everyMs: () => (this.#stored.size + this.#waiting.size > 0 ? RENEW_MS : undefined),
      run: () => this.#look(),
    });
    this.#subscribed = parts.counters.subscribe(TASK_ENDED, (id) => this.#ended(id));
    this.#subscribed.catch(() => undefined);
  }

  /** Begins a call; undefined: as many as can run at once already do. */
  begin(tenantId: string, call: (signal: AbortSignal) => Promise<CallToolResult>): RunningCall | undefined {
    const own = [...this.#calls].filter((one) => one.tenantId === tenantId).length;
    if (this.#isStopping || own >= RUNNING_PER_TENANT || this.#calls.size >= RUNNING_MAX) return undefined;
    const ending = new AbortController();
    const outcome = outcomeOf(() => call(ending.signal)).then((ended) => {
      this.#calls.delete(running);
      return this.#isStopping && isFailure(ended) ? STOPPED : ended;
    });
    const running: RunningCall = { tenantId, ending, outcome };
    this.#calls.add(running);
    return running;
  }

  /** Stores a running call as a task, which from then on is seen in every process. Throws `rate_limited`. */
  async keep(running: RunningCall, asked: TaskHolder & { tool: string; ttlMs: number }): Promise<AgentTask> {
    const task = await this.#parts.store.create(asked);
    const stored: StoredCall = { ending: running.ending, tried: Promise.resolve() };
    this.#stored.set(task.id, stored);
    stored.tried = running.outcome.then((outcome) => this.#store(task.id, outcome));
    this.#parts.alarms.wake(TOPIC);
    return task;
  }

  stateOf: AgentTaskStore["stateOf"] = (holder, id) => this.#parts.store.stateOf(holder, id);

  find: AgentTaskStore["find"] = (holder, id) => this.#parts.store.find(holder, id);

  list: AgentTaskStore["list"] = (holder, position) => this.#parts.store.list(holder, position);

  /**
   * Like `find`, when the task has ended. Throws `rate_limited` when too many requests wait, and `unavailable` when
   * `left` aborts, as it does when the process stops.
   */
  async findEnded(holder: TaskHolder, id: string, left: AbortSignal) {
    const { tenantId } = holder;
    const all = [...this.#waiting.values()].flatMap((each) => [...each]);
    const own = all.filter((one) => one.tenantId === tenantId).length;
    if (own >= WAITING_PER_TENANT || all.length >= WAITING_MAX) throw tooManyWait();
    for (;;) {
      // It waits before it looks, so that it misses no end.
      const waits = this.#wait(tenantId, id, left);
      const task = await this.stateOf(holder, id).catch((failure: unknown) => {
        waits.end();
        throw failure;
      });
      if (task?.status !== "working") {
        waits.end();
        return this.find(holder, id);
      }
      await waits.woken;
      if (left.aborted) throw new ServiceError("unavailable", "The wait for the task was ended; ask again.");
    }
  }

  /** Cancels a task that runs; false: it has ended before. Its call is aborted, in whichever process it runs. */
  async cancel(id: string): Promise<boolean> {
    if (!(await this.#parts.store.end(id))) return false;
    this.#ended(id);
    await this.#announce(id);
    return true;
  }

  /** Aborts what runs, and stores how it ended. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const running = [...this.#calls];
    for (const { ending } of running) ending.abort();
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), STOP_MS);
    await Promise.race([
      Promise.all([...running.map(({ outcome }) => outcome), ...[...this.#stored.values()].map(({ tried }) => tried)]),
      new Promise((resolve) => late.signal.addEventListener("abort", resolve, { once: true })),
    ]);
    clearTimeout(timer);
    await Promise.all([...this.#stored].map(([id, { unstored = STOPPED }]) => this.#store(id, unstored)));
    await this.#round.stop();
    const unsubscribe = await this.#subscribed.catch(() => undefined);
    await unsubscribe?.();
  }

  /** It is tried again while the task has its lease; without it the task has failed. */
  async #store(id: string, outcome: AgentTaskOutcome): Promise<void> {
    try {
      await this.#parts.store.end(id, outcome);
    } catch (err) {
      this.#parts.log.warn({ err, task: id }, "the result of a task was not stored");
      const stored = this.#stored.get(id);
      if (stored) stored.unstored = outcome;
      return;
    }
    this.#stored.delete(id);
    this.#ended(id);
    await this.#announce(id);
  }

  async #announce(id: string): Promise<void> {
    await this.#parts.counters.publish(TASK_ENDED, id).catch(() => undefined);
  }

  #ended(id: string): void {
    this.#stored.get(id)?.ending.abort();
    for (const { wake } of this.#waiting.get(id) ?? []) wake();
  }

  /** Corrects what a lost message would have told, too. */
  async #look(): Promise<void> {
    const { store } = this.#parts;
    const own = [...this.#stored.keys()];
    const awaited = [...this.#waiting.keys()];
    const renewed = own.length > 0 ? await store.renew(own) : new Set();
    for (const id of own) if (!renewed.has(id)) this.#ended(id);
    for (const [id, { unstored }] of this.#stored) if (unstored) await this.#store(id, unstored);
    const running = awaited.length > 0 ? await store.running(awaited) : new Set();
    for (const id of awaited) if (!running.has(id)) this.#ended(id);
  }

  #wait(tenantId: string, id: string, left: AbortSignal): { woken: Promise<void>; end: () => void } {
    let wake = () => {};
    const woken = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const entry = { tenantId, wake: () => end() };
    const entries = this.#waiting.get(id) ?? new Set();
    this.#waiting.set(id, entries.add(entry));
    const end = () => {
      entries.delete(entry);
      if (entries.size === 0 && this.#waiting.get(id) === entries) this.#waiting.delete(id);
      left.removeEventListener("abort", end);
      wake();
    };
    left.addEventListener("abort", end);
    if (left.aborted) end();
    this.#parts.alarms.wake(TOPIC);
    return { woken, end };
  }
}

async function outcomeOf(call: () => Promise<CallToolResult>): Promise<AgentTaskOutcome> {
  try {
    const result = await call();
    const bytes = Buffer.byteLength(exactJson(result));
    return { result: bytes > RESULT_BYTES_MAX ? tooLarge(bytes) : result };
  } catch (failure) {
    const { code, message, data } =
      failure instanceof ProtocolError
        ? failure
        : new ProtocolError(ProtocolErrorCode.InternalError, "The call failed inside of svc.");
    return { error: { code, message, ...(data !== undefined && { data }) } };
  }
}

const isFailure = (outcome: AgentTaskOutcome): boolean => "error" in outcome || outcome.result.isError === true;

const STOPPED: AgentTaskOutcome = {
  error: {
    code: ProtocolErrorCode.InternalError,
    message:
      "svc was stopped while this task ran, and the call was ended. Look at what it was to change before you repeat it; with the same idempotency key nothing is created twice.",
    data: { code: "unavailable", details: { reason: "task_stopped" } },
  },
};

const tooLarge = (bytes: number): CallToolResult => ({
  isError: true,
  content: [
    {
      type: "text",
      text: `The call has succeeded, but its result of ${bytes} bytes is not kept: results of tasks have at most ${RESULT_BYTES_MAX}. Call the tool without a task, or ask for less.`,
    },
  ],
});

export const tooManyRun = (): ServiceError =>
  new ServiceError(
    "rate_limited",
    `A tenant can run ${RUNNING_PER_TENANT} tasks at once; begin another one when one has ended.`,
    { retryAfterSeconds: 5, details: { reason: "running_tasks" } },
  );

const tooManyWait = (): ServiceError =>
  new ServiceError(
    "rate_limited",
    `A tenant can wait for ${WAITING_PER_TENANT} tasks at once; ask with tasks/get, which does not wait.`,
    { retryAfterSeconds: 5, details: { reason: "waiting_for_tasks" } },
  );
