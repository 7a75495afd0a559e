import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { type WorkerCall, WorkerFailure, type WorkerRequest } from "../../../engines/workerd/worker-call";
import type { Workerd } from "../../../engines/workerd/workerd";
import { ServiceError } from "../../../kernel/errors";
import type { Owner } from "../../../operation/actor";
import { resolveEnv } from "../../compute/workers/resolve-env";
import type { Copies } from "../../core/served-copies/copies";
import { createRedactor, type Redactor } from "../../data/secrets/redactor";
import type { EdgeBindingsParts } from "./binding-methods";
import { edgeVersionCode, hostedBySlug, publishedBySlug } from "./edge.sql";
import { EdgeBindings } from "./edge-bindings";
import { type EdgeCodeOf, ENV_HEADER, METHOD_HEADER, readEdgeCode } from "./edge-code";
import { REQUEST_MS_MAX, RESPONSE_BYTES_MAX } from "./edge-fields";
import type { EdgeHosts } from "./edge-hosts";
import type { EdgeLogs } from "./edge-logs";
import { type EdgeFailure, EdgeResponse } from "./edge-response";
import type { EdgeProgram, EdgeReceiver, EdgeRequest, EdgeRunner, PublishedFunction } from "./edge-runner";
import type { Hosted } from "./hosted-response";
import { SmokeResult } from "./smoke-result";
import type { SmokeRun } from "./smoke-run";

const SMOKE_MS_MAX = 5000;
/** Requests of one function in one process. */
const CONCURRENCY_MAX = 100;
const RETRY_SECONDS = 1;

export interface EdgeRunsParts extends EdgeBindingsParts {
  workerd: Pick<Workerd, "call">;
  sql: Pool;
  secretsKey: Buffer;
  rootDir: string;
  hosts: EdgeHosts;
  logs: Pick<EdgeLogs, "add">;
  /** Hosted responses by slug, in memory; absent: they are read for each request. */
  hosted?: Copies<Hosted> | undefined;
}

/** Runs edge functions in this process's workers. */
export class EdgeRuns implements EdgeRunner {
  readonly #parts: EdgeRunsParts;
  readonly #running = new Map<string, number>();
  #code: Promise<EdgeCodeOf> | undefined;
  readonly logs: EdgeRunner["logs"];

  constructor(parts: EdgeRunsParts) {
    this.#parts = parts;
    this.logs = parts.logs;
  }

  urlOf(slug: string): string | null {
    return this.#parts.hosts.urlOf(slug);
  }

  slugOf(host: string | undefined): string | undefined {
    return this.#parts.hosts.slugOf(host);
  }

  async find(slug: string): ReturnType<EdgeRunner["find"]> {
    const { sql, hosted: copies } = this.#parts;
    const held = copies?.held(slug);
    if (held) return { hosted: held };
    const fn = await publishedBySlug(sql, slug);
    if (fn) return { fn };
    const hosted = await (copies ? copies.get(slug) : hostedBySlug(sql, slug));
    return hosted && { hosted };
  }

  ensureDatabase(owner: Owner, name: string): Promise<void> {
    return this.#parts.databases.ensure(owner, name);
  }

  async smokeRun(owner: Owner, program: EdgeProgram): Promise<SmokeRun> {
    const resolved = await resolveEnv(this.#parts, owner, program.env);
    if ("missing" in resolved) return new SmokeResult().ended(missingSecret(resolved.missing), 0);
    const { redact } = createRedactor(resolved.secrets);
    const result = new SmokeResult();
    const response = new EdgeResponse(result, ({ text, ...line }) => result.log({ ...line, text: redact(text) }));
    const { respond } = new EdgeBindings(this.#parts, { owner, bindings: program.bindings, isSmokeRun: true });
    const beganAt = performance.now();
    const outcome = await this.#call({
      group: `check ${groupOf(owner)}`,
      tenant: owner.tenantId,
      worker: randomUUID(),
      timeoutMs: SMOKE_MS_MAX,
      respond,
      load: async () => (await this.#codeOf())(program, { isSmokeRun: true }),
      request: asSent(SMOKE_REQUEST, resolved.env),
      ...receiving(response),
    }).then(
      () => response.failure,
      (failure: unknown) => (failure instanceof WorkerFailure ? smokeFailure(failure) : Promise.reject(failure)),
    );
    return result.ended(outcome && redacted(outcome, redact), performance.now() - beganAt);
  }

  async run(fn: PublishedFunction, request: EdgeRequest, receiver: EdgeReceiver): Promise<void> {
    const release = this.#begin(fn);
    const { id: edgeId, version, tenantId } = fn;
    try {
      const resolved = await resolveEnv(this.#parts, fn, fn.env);
      if ("missing" in resolved) throw failed("no_such_secret", resolved.missing);
      const { env, secrets } = resolved;
      const { redact } = createRedactor(secrets);
      const response = new EdgeResponse(receiver, ({ at, level, text }) =>
        this.logs.add({ tenantId, edgeId, version, requestId: request.id, at, level, text: redact(text) }),
      );
      await this.#respond(fn, { request, env, response, redact });
    } finally {
      release();
    }
  }

  async #respond(fn: PublishedFunction, { request, env, response, redact }: Exchange): Promise<void> {
    const { id: edgeId, version } = fn;
    const { respond } = new EdgeBindings(this.#parts, { owner: fn, bindings: fn.bindings, isSmokeRun: false });
    const { signal, id: _, ...sent } = request;
    await this.#call({
      group: groupOf(fn),
      tenant: fn.tenantId,
      worker: `${edgeId}@${version}`,
      timeoutMs: REQUEST_MS_MAX,
      respond,
      signal,
      load: async () => {
        const code = await edgeVersionCode(this.#parts.sql, { edgeId, version });
        return (await this.#codeOf())({ code, bindings: fn.bindings }, { isSmokeRun: false });
      },
      request: asSent(sent, env),
      ...receiving(response),
    }).catch((failure: unknown) => {
      throw failure instanceof WorkerFailure ? failed(failure.reason, redact(failure.message)) : failure;
    });
    const { failure } = response;
    if (failure) throw failed(failure.reason, redact(failure.stack ?? failure.message));
  }

  #begin({ id }: PublishedFunction): () => void {
    const running = this.#running.get(id) ?? 0;
    if (running >= CONCURRENCY_MAX) throw tooMany();
    this.#running.set(id, running + 1);
    return () => {
      const left = (this.#running.get(id) ?? 1) - 1;
      if (left === 0) this.#running.delete(id);
      else this.#running.set(id, left);
    };
  }

  /** Throws what a caller can do nothing about as `unavailable`. */
  async #call(call: WorkerCall): Promise<void> {
    try {
      await this.#parts.workerd.call(call);
    } catch (failure) {
      if (!(failure instanceof WorkerFailure)) throw failure;
      if (failure.reason !== "unavailable" && failure.reason !== "busy") throw failure;
      const details = { reason: failure.reason === "busy" ? "busy" : "no_workerd" };
      throw new ServiceError("unavailable", `Edge functions cannot run now. ${failure.message}`, {
        details,
        retryAfterSeconds: RETRY_SECONDS,
        cause: failure,
      });
    }
  }

  #codeOf(): Promise<EdgeCodeOf> {
    this.#code ??= readEdgeCode(this.#parts.rootDir);
    return this.#code;
  }
}

/** Edge functions of one project and mode share a process, and none with other functions. */
const groupOf = ({ projectId, mode }: Owner): string => `edge ${projectId} ${mode}`;

const receiving = (response: EdgeResponse): Pick<WorkerCall, "bodyBytesMax" | "receive"> => ({
  bodyBytesMax: RESPONSE_BYTES_MAX,
  receive: (part) => response.receive(part),
});

interface Exchange {
  request: EdgeRequest;
  env: Readonly<Record<string, string>>;
  response: EdgeResponse;
  redact: Redactor["redact"];
}

/** With the variables. A response to HEAD would have no body, and so no frames. */
function asSent(request: WorkerRequest, env: Readonly<Record<string, string>>): WorkerRequest {
  const isHead = request.method === "HEAD";
  const own = {
    ...(isHead && { [METHOD_HEADER]: "HEAD" }),
    ...(Object.keys(env).length > 0 && { [ENV_HEADER]: Buffer.from(JSON.stringify(env)).toString("base64") }),
  };
  return { ...request, method: isHead ? "GET" : request.method, headers: { ...request.headers, ...own } };
}

const SMOKE_REQUEST: WorkerRequest = {
  method: "GET",
  origin: "https://smoke-run.invalid",
  path: "/",
  body: "",
  headers: { "user-agent": "svc-smoke-run", "x-forwarded-for": "127.0.0.1" },
};

/** Throws for code that does not load. */
function smokeFailure({ reason, message }: WorkerFailure) {
  if (reason !== "load_failed") return { reason, message, stack: null, hasSent: false };
  throw new ServiceError("unprocessable", `code: it does not load: ${message}`, {
    param: "code",
    details: { reason: "load_failed" },
  });
}

const missingSecret = (message: string): EdgeFailure => ({
  reason: "no_such_secret",
  message,
  stack: null,
  hasSent: false,
});

const redacted = (failure: EdgeFailure, redact: Redactor["redact"]): EdgeFailure => ({
  ...failure,
  message: redact(failure.message),
  stack: failure.stack === null ? null : redact(failure.stack),
});

/** The message is for the logs of the function only. */
const failed = (reason: string, message: string): ServiceError =>
  new ServiceError("internal", message, { details: { reason } });

const tooMany = (): ServiceError =>
  new ServiceError("rate_limited", `The function already handles ${CONCURRENCY_MAX} requests; retry shortly.`, {
    retryAfterSeconds: RETRY_SECONDS,
    details: { reason: "concurrency" },
  });
