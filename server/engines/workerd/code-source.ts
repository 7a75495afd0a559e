import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { ByteBudget } from "../../kernel/byte-budget";
import { ERROR_STATUS, ServiceError } from "../../kernel/errors";
import type { WorkerCall, WorkerCode } from "./worker-call";

type Supplies = Pick<WorkerCall, "load" | "respond">;

/** A tenant alone gets a third of the budget. */
const TENANT_OF_FREE = 1 / 2;

interface CodeSourceLimits {
  /** Of one request to svc. */
  requestBytesMax: number;
  /** Requests to svc of one process, at once; others wait, unread. */
  requestsMax: number;
  /** Those that wait. */
  waitingMax: number;
  /** Of the requests of all processes, in which each tenant has a share. */
  budget: ByteBudget;
  tenant: string;
}

/** Supplies the code of workers to a process, and responds to their requests to svc, while calls to them run. */
export class CodeSource {
  readonly #limits: CodeSourceLimits;
  readonly #supplies = new Map<string, Supplies & { calls: number }>();
  readonly #waiting: (() => void)[] = [];
  #requests = 0;

  constructor(limits: CodeSourceLimits) {
    this.#limits = limits;
  }

  /** Keeps what a worker needs available during `use`. */
  async during<T>({ worker, load, respond }: Supplies & { worker: string }, use: () => Promise<T>): Promise<T> {
    const entry = this.#supplies.get(worker) ?? { load, respond, calls: 0 };
    this.#supplies.set(worker, entry);
    entry.calls++;
    try {
      return await use();
    } finally {
      entry.calls--;
      if (entry.calls === 0) this.#supplies.delete(worker);
    }
  }

  readonly respond: RequestListener = (request, response) => {
    const worker = decodeURIComponent((request.url ?? "/").slice(1));
    const supplies = this.#supplies.get(worker);
    if (!supplies) return void response.writeHead(404).end();
    const answer = request.method === "POST" ? this.#pass(supplies, request, response) : sendCode(supplies, response);
    answer.catch(() => (response.headersSent ? response.destroy() : response.writeHead(500).end()));
  };

  async #pass({ respond }: Supplies, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { requestBytesMax: bytesMax, budget, tenant } = this.#limits;
    if (!respond) return void response.writeHead(404).end();
    if (!(await this.#begin())) return void response.writeHead(429).end();
    try {
      const holders = [{ key: tenant, ofFree: TENANT_OF_FREE }];
      const sent = request.iterator({ destroyOnReturn: false });
      response.end(await budget.read(sent, { bytesMax, holders }, respond));
    } catch (failure) {
      if (!(failure instanceof ServiceError) || response.headersSent) throw failure;
      response.writeHead(ERROR_STATUS[failure.code]).end();
    } finally {
      this.#end();
    }
  }

  /** Resolves with false if too many wait. */
  async #begin(): Promise<boolean> {
    const { requestsMax, waitingMax } = this.#limits;
    if (this.#requests < requestsMax) this.#requests++;
    else if (this.#waiting.length >= waitingMax) return false;
    else await new Promise<void>((begin) => this.#waiting.push(begin));
    return true;
  }

  #end(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#requests--;
  }
}

async function sendCode({ load }: Supplies, response: ServerResponse): Promise<void> {
  const code: WorkerCode = await load();
  response.end(JSON.stringify(code));
}
