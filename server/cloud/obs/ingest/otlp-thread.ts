import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { ServiceError } from "../../../kernel/errors";
import { FairSemaphore } from "../../../kernel/fair-semaphore";
import type { FromOtlpThread } from "./otlp-messages";
import type { ExportRequest, ParsedExport } from "./parse-export";

const LIMITS = {
  /** Five million empty objects, which fit in 16 MiB of JSON, take 300 MiB. */
  heapMib: 512,
  /** The worst 16 MiB of JSON take 2.4 s on a core of 2023. */
  requestMsMax: 20_000,
};
/** Bodies of a tenant that wait are up to 16 MiB each. */
const WAITING_PER_TENANT_MAX = 4;

/**
 * Reads export requests in a thread of its own, so that other requests do not wait for it; tenants take turns. A thread
 * that one has ended or keeps too long is replaced.
 */
export class OtlpThread {
  readonly #workerFile: string;
  readonly #limits: typeof LIMITS;
  readonly #turns = new FairSemaphore(1);
  #thread: Worker | undefined;

  /** `workerFile` is the built otlp-worker.ts. */
  constructor(workerFile: string, limits = LIMITS) {
    this.#workerFile = workerFile;
    this.#limits = limits;
  }

  /**
   * Throws `invalid_request` for what is no export request, `payload_too_large` for one that takes too much memory or time
   * to read, and `rate_limited` if too many of the tenant wait already.
   */
  async parse(request: ExportRequest): Promise<ParsedExport> {
    const tenantId = request.owner.tenant_id;
    if (this.#turns.waitingOf(tenantId) >= WAITING_PER_TENANT_MAX) throw tooManyWait();
    return this.#turns.run(tenantId, async () => {
      const result = await this.#ask(request).catch((cause: unknown) => {
        throw new ServiceError("payload_too_large", "The request takes too much memory or time: send less at once.", {
          cause,
        });
      });
      if ("parsed" in result) return result.parsed;
      const { code, message, param, details } = result.refusal;
      throw new ServiceError(code, message, { ...(param !== undefined && { param }), ...(details && { details }) });
    });
  }

  async close(): Promise<void> {
    await this.#thread?.terminate();
  }

  async #ask(request: ExportRequest): Promise<FromOtlpThread> {
    const thread = this.#open();
    thread.ref();
    const ending = new AbortController();
    const { signal } = ending;
    const late = setTimeout(() => ending.abort(), this.#limits.requestMsMax);
    // A copy, because small buffers share their memory with others.
    const body = new Uint8Array(request.body);
    thread.postMessage({ ...request, body }, [body.buffer]);
    try {
      const ended = once(thread, "exit", { signal }).then(() => Promise.reject(new Error("The thread has ended.")));
      const [result] = await Promise.race([once(thread, "message", { signal }), ended]);
      return result as FromOtlpThread;
    } catch (failure) {
      this.#thread = undefined;
      await thread.terminate();
      throw failure;
    } finally {
      clearTimeout(late);
      ending.abort();
      // An idle thread does not keep the process.
      thread.unref();
    }
  }

  #open(): Worker {
    if (this.#thread) return this.#thread;
    // The thread only computes, so it gets no environment variables.
    const resourceLimits = { maxOldGenerationSizeMb: this.#limits.heapMib };
    const thread = new Worker(this.#workerFile, { env: {}, resourceLimits });
    thread.on("error", () => undefined);
    thread.on("exit", () => {
      if (this.#thread === thread) this.#thread = undefined;
    });
    this.#thread = thread;
    return thread;
  }
}

const tooManyWait = (): ServiceError =>
  new ServiceError("rate_limited", "Too many requests of yours wait already. Retry in 1 s.", {
    retryAfterSeconds: 1,
    details: { reason: "concurrency" },
  });
