import type { IncomingMessage } from "node:http";
import { Agent, request as httpsRequest, type RequestOptions } from "node:https";
import { pipeline, type Readable } from "node:stream";
import { ServiceError } from "../../../kernel/errors";
import { RuntimeError } from "../runtime";
import { clientSecurity, type LinkCredentials } from "./link-security";
import { EPOCH_HEADER, RUNTIME_ERROR_STATUS, readJson, type WireError } from "./wire";

export interface LinkOptions extends LinkCredentials {
  /** `host:port`; an IPv6 address is in brackets. */
  address: string;
  /** Of the claim on the node; absent: only output is read and programs are executed. */
  epoch?: number | undefined;
}

export interface LinkCall {
  json?: object;
  /** Instead of `json`; destroyed when it is not needed. */
  body?: Readable;
  /** Until the response begins; default 15 s, 0: unlimited. What `call` returns has further 15 s to arrive. */
  timeoutMs?: number;
  /** Ends the call, and so what the other end does for it. */
  signal?: AbortSignal;
}

const TIMEOUT_MS = 15_000;
const KEEP_ALIVE_MS = 10_000;

/**
 * Calls a runtime that `serveRuntime` serves. Every method rejects with the RuntimeError of the other end, and with
 * `unavailable` (reason `node_unreachable`) if that cannot be reached or fails.
 */
export class RuntimeLink {
  readonly #agent = new Agent({ keepAlive: true, keepAliveMsecs: KEEP_ALIVE_MS, maxCachedSessions: 0 });
  readonly #options: RequestOptions;

  constructor({ address, epoch, ...credentials }: LinkOptions) {
    const { hostname, port } = new URL(`https://${address}`);
    const host = hostname.replace(/^\[|\]$/g, "");
    const headers = epoch === undefined ? {} : { [EPOCH_HEADER]: String(epoch) };
    this.#options = { host, port, agent: this.#agent, headers, ...clientSecurity(credentials) };
  }

  async call<T>(method: string, path: string, call: LinkCall = {}): Promise<T> {
    const response = await this.open(method, path, call);
    const late = setTimeout(() => response.destroy(new Error("the response did not end")), TIMEOUT_MS);
    try {
      return (await readJson(response).finally(() => clearTimeout(late))) as T;
    } catch (cause) {
      throw unreachable(cause);
    }
  }

  /** Resolves with a successful response when its headers have arrived. Destroy it to stop it. */
  open(
    method: string,
    path: string,
    { json, body, signal, timeoutMs = TIMEOUT_MS }: LinkCall = {},
  ): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const request = httpsRequest({ ...this.#options, method, path, ...(signal && { signal }) });
      const timer =
        timeoutMs === 0 ? undefined : setTimeout(() => request.destroy(new Error("no response")), timeoutMs);
      request.once("error", (cause) => {
        clearTimeout(timer);
        body?.destroy();
        reject(unreachable(cause));
      });
      request.once("response", (response) => {
        clearTimeout(timer);
        // A response that ends before the upload says that the rest is not needed.
        response.once("close", () => body?.destroy());
        if (response.statusCode === 200) resolve(response);
        else failureOf(response).then(reject);
      });
      if (body) pipeline(body, request, () => undefined);
      else request.end(json ? JSON.stringify(json) : undefined);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

async function failureOf(response: IncomingMessage): Promise<Error> {
  const late = setTimeout(() => response.destroy(new Error("the response did not end")), TIMEOUT_MS);
  try {
    const { reason, message } = (await readJson(response)) as WireError;
    if (response.statusCode === RUNTIME_ERROR_STATUS)
      return new RuntimeError(reason as RuntimeError["reason"], message);
    return unreachable(new Error(`${reason}: ${message}`));
  } catch (cause) {
    return unreachable(cause);
  } finally {
    clearTimeout(late);
  }
}

export const unreachable = (cause: unknown): ServiceError =>
  new ServiceError("unavailable", "The node that runs the workload cannot be reached at present; retry shortly.", {
    cause,
    retryAfterSeconds: 5,
    details: { reason: "node_unreachable" },
  });
