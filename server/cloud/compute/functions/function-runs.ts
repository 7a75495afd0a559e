import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import type { Counters } from "../../../engines/counters/counters";
import { failOpen } from "../../../engines/counters/fail-open";
import { type WorkerCall, WorkerFailure, type WorkerReply } from "../../../engines/workerd/worker-call";
import type { Workerd } from "../../../engines/workerd/workerd";
import { ServiceError } from "../../../kernel/errors";
import type { Owner } from "../../../operation/actor";
import type { FunctionPods } from "../function-pods/function-pods";
import { resolveEnv } from "../workers/resolve-env";
import { LOG_CHARACTERS_MAX } from "../workers/worker-modules";
import { readWorkerCode, type WorkerCodeOf } from "./function-code";
import { MEMORY_MB, RESULT_BYTES_MAX } from "./function-fields";
import type { FunctionRun, FunctionRunner, ModuleCode, Outcome, RunnableFunction, RunsIn } from "./function-runner";
import { versionCode } from "./functions.sql";
import { failedOutcome, readOutcome } from "./run-outcome";

const CHECK_TIMEOUT_MS = 5000;
/** JSON within JSON: a quotation mark is escaped. */
const BODY_BYTES_MAX = 2 * RESULT_BYTES_MAX + 8 * LOG_CHARACTERS_MAX;
const RETRY_SECONDS = 1;
/** For the start of a process, and for the response. */
const PLACE_MARGIN_MS = 10_000;
/** For the start of a pod and of the process in it. */
const POD_MARGIN_MS = 85_000;
/** Longer than any place is held; the same for all, because it is part of what is counted. */
const PLACE_MS_MAX = 600_000;

interface FunctionRunsParts {
  workerd: Pick<Workerd, "call">;
  pods: Pick<FunctionPods, "call">;
  sql: Pool;
  counters: Pick<Counters, "reserve" | "release">;
  secretsKey: Buffer;
  rootDir: string;
}

/** Runs functions in this process's workers; how often a function runs at once is counted for all processes. */
export class FunctionRuns implements FunctionRunner {
  readonly #parts: FunctionRunsParts;
  #workerCode: Promise<WorkerCodeOf> | undefined;

  constructor(parts: FunctionRunsParts) {
    this.#parts = parts;
  }

  async check({ image, ...owner }: Owner & Pick<RunsIn, "image">, module: ModuleCode): Promise<void> {
    if (image !== null) return;
    const group = `check ${groupOf(owner)}`;
    const code = { worker: randomUUID(), load: async () => (await this.#code())(module) };
    const limits = { timeoutMs: CHECK_TIMEOUT_MS, bodyBytesMax: BODY_BYTES_MAX };
    const call = { group, tenant: owner.tenantId, ...code, ...limits, request: requestOf({}) };
    const reply = await this.#call(call).catch((failure: unknown) => {
      throw failure instanceof WorkerFailure ? doesNotLoad(failure.message) : failure;
    });
    const { exports } = JSON.parse(reply.body.toString("utf8")) as { exports?: string[] };
    if (exports) throw noSuchExport(module.entry, exports);
  }

  async run(fn: RunnableFunction, run: FunctionRun): Promise<Outcome> {
    const place = placeOf(fn, run);
    const { verdicts } = (await failOpen(this.#parts.counters.reserve(place))) ?? {};
    if (verdicts && verdicts[0] !== "reserved") throw tooMany(fn);
    try {
      return await this.#runNow(fn, run);
    } finally {
      const { user, windows } = place;
      // A place that is not released ends by itself.
      void this.#parts.counters.release({ user, windows, id: run.invocationId }).catch(() => undefined);
    }
  }

  async #runNow(fn: RunnableFunction, run: FunctionRun): Promise<Outcome> {
    const { version, payload, signal } = run;
    const resolved = await resolveEnv(this.#parts, fn, fn.env);
    if ("missing" in resolved) return failedOutcome({ reason: "no_such_secret", message: resolved.missing });
    const context = { env: resolved.env, ...contextOf(fn, run) };
    const beganAt = performance.now();
    const since = () => Math.round(performance.now() - beganAt);
    const request = requestOf({ context, payload });
    const load = () => versionCode(this.#parts.sql, { functionId: fn.id, version });
    try {
      const reply = await this.#replyOf(fn, { version, load, request, signal });
      return { ...readOutcome(reply, resolved.secrets), durationMs: since() };
    } catch (failure) {
      if (!(failure instanceof WorkerFailure)) throw failure;
      const { reason, message } = failure;
      return { ...failedOutcome({ reason, message }, resolved.secrets), durationMs: since() };
    }
  }

  async #replyOf(fn: RunnableFunction, { version, load, request, signal }: VersionCall): Promise<string> {
    const { id: functionId, runtime, image, memoryMb, timeoutMs } = fn;
    if (image === null) {
      const reply = await this.#call({
        group: groupOf(fn),
        tenant: fn.tenantId,
        worker: `${functionId}@${version}`,
        timeoutMs,
        bodyBytesMax: BODY_BYTES_MAX,
        load: async () => (await this.#code())(await load()),
        request,
        signal,
      });
      return reply.body.toString("utf8");
    }
    const { tenantId, projectId, mode } = fn;
    const program = runtime === "python" ? "python" : "node";
    const call = this.#parts.pods.call({
      functionId,
      version,
      tenantId,
      projectId,
      mode,
      image,
      memoryMb: memoryMb ?? MEMORY_MB,
      program,
      load,
      request: String(request.body),
      timeoutMs,
      bytesMax: BODY_BYTES_MAX,
      signal,
    });
    return call.catch(unavailableIfNotBegun);
  }

  /** Throws what a caller can do nothing about as `unavailable`. */
  #call(call: WorkerCall): Promise<WorkerReply> {
    return this.#parts.workerd.call(call).catch(unavailableIfNotBegun);
  }

  #code(): Promise<WorkerCodeOf> {
    this.#workerCode ??= readWorkerCode(this.#parts.rootDir);
    return this.#workerCode;
  }
}

/** A place among those that run, which ends some time after the call would have if its process ends before. */
function placeOf({ id, image, timeoutMs, concurrencyMax: count }: RunnableFunction, { invocationId }: FunctionRun) {
  const holdMs = timeoutMs + (image === null ? PLACE_MARGIN_MS : POD_MARGIN_MS);
  return {
    user: `function:${id}`,
    windows: [{ key: "running", count, windowMs: PLACE_MS_MAX }],
    holdMs,
    wanted: 1,
    candidates: [{ id: invocationId, windows: [0] }],
  };
}

interface VersionCall {
  version: number;
  load: () => Promise<ModuleCode>;
  request: WorkerCall["request"];
  signal: AbortSignal | undefined;
}

function unavailableIfNotBegun(failure: unknown): never {
  if (!(failure instanceof WorkerFailure)) throw failure;
  if (failure.reason !== "unavailable" && failure.reason !== "busy") throw failure;
  const details = { reason: failure.reason === "busy" ? "busy" : "no_workerd" };
  throw new ServiceError("unavailable", `Functions cannot run now. ${failure.message}`, {
    details,
    retryAfterSeconds: RETRY_SECONDS,
    cause: failure,
  });
}

/** Workers of one project and mode share a process. */
const groupOf = ({ projectId, mode }: Owner): string => `${projectId} ${mode}`;

/** What the code learns of its invocation. */
const contextOf = ({ name }: RunnableFunction, { invocationId, version, scheduledAt, attempt = 1 }: FunctionRun) => ({
  invocation_id: invocationId,
  function: name,
  version,
  attempt,
  scheduled_at: scheduledAt?.toISOString() ?? null,
});

/** The payload is JSON already. */
const requestOf = ({ context, payload = "null" }: { context?: object; payload?: string }): WorkerCall["request"] => ({
  method: "POST",
  path: "/",
  headers: { "content-type": "application/json" },
  body: `{"payload":${payload}${context ? `,"context":${JSON.stringify(context)}` : ""}}`,
});

const doesNotLoad = (message: string): ServiceError =>
  new ServiceError("unprocessable", `code: it does not load: ${message}`, {
    param: "code",
    details: { reason: "load_failed" },
  });

const noSuchExport = (entry: string, exports: readonly string[]): ServiceError => {
  const known = exports.length === 0 ? "nothing" : exports.slice(0, 20).join(", ");
  const message = `handler: the code exports no function named ${entry}; it exports ${known}.`;
  return new ServiceError("unprocessable", message, { param: "handler", details: { reason: "load_failed" } });
};

const tooMany = ({ name, concurrencyMax }: RunnableFunction): ServiceError =>
  new ServiceError("rate_limited", `The function ${name} already runs ${concurrencyMax} times; retry shortly.`, {
    retryAfterSeconds: RETRY_SECONDS,
    details: { reason: "concurrency" },
  });
