import http from "node:http";
import https from "node:https";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { KubeConfig } from "@kubernetes/client-node";
import { backoffMs } from "../../../kernel/backoff";

export interface ApiCall {
  method?: "GET" | "POST" | "PATCH" | "DELETE";
  /** Below the address of the server, such as `/version`. */
  path: string;
  query?: Readonly<Record<string, string | number | boolean>> | undefined;
  body?: unknown;
  contentType?: string | undefined;
}

/** What the API server replied with, other than a success. `status` is the HTTP status. */
export class KubernetesError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
    this.name = "KubernetesError";
  }
}

export const APPLY = "application/apply-patch+yaml";
export const MERGE = "application/merge-patch+json";
const CALL_MS = 10_000;
const ATTEMPTS = 3;
const RESPONSE_BYTES_MAX = 64 * 1024 ** 2;
const ERROR_BYTES_MAX = 64 * 1024;
const MESSAGE_CHARS_MAX = 500;

/** Calls of the API of a Kubernetes cluster, as the user of a kubeconfig or of a service account. */
export class KubernetesApi {
  constructor(readonly config: KubeConfig) {}

  /**
   * The reply as JSON. A call that got no reply, or a failure of the server, is repeated: every call of svc has the same
   * result the second time. Rejects with KubernetesError, or the error of the connection.
   */
  async call<T>(call: ApiCall): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        const response = await this.stream(call, AbortSignal.timeout(CALL_MS));
        return JSON.parse((await readBytes(response, RESPONSE_BYTES_MAX)).toString("utf8")) as T;
      } catch (cause) {
        if (attempt === ATTEMPTS || !isPassing(cause)) throw cause;
        await sleep(backoffMs(attempt));
      }
    }
  }

  /** Like `call`, but undefined if there is no such object. */
  async find<T>(call: ApiCall): Promise<T | undefined> {
    try {
      return await this.call<T>(call);
    } catch (cause) {
      if (cause instanceof KubernetesError && cause.status === 404) return undefined;
      throw cause;
    }
  }

  /** Creates or changes an object so that it has what `body` says (server-side apply). */
  apply<T>(path: string, body: unknown): Promise<T> {
    const query = { fieldManager: "svc", force: true };
    return this.call<T>({ method: "PATCH", path, query, body, contentType: APPLY });
  }

  /** The body of a reply as it arrives. Rejects with KubernetesError. `signal` ends it at any time. */
  async stream({ method = "GET", path, query = {}, ...call }: ApiCall, signal: AbortSignal): Promise<Readable> {
    const server = this.config.getCurrentCluster()?.server;
    if (server === undefined) throw new Error("the kubeconfig has no current cluster");
    const url = new URL(server.replace(/\/$/, "") + path);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
    const options: https.RequestOptions = { method, signal, headers: { Accept: "application/json" } };
    await this.config.applyToHTTPSOptions(options);
    const text = call.body === undefined ? undefined : JSON.stringify(call.body);
    if (text !== undefined) {
      const type = call.contentType ?? "application/json";
      options.headers = { ...options.headers, "Content-Type": type, "Content-Length": Buffer.byteLength(text) };
    }
    const response = await sendRequest(url, options, text);
    const { statusCode = 0 } = response;
    if (statusCode >= 200 && statusCode < 300) return response;
    throw new KubernetesError(statusCode, messageOf(await readBytes(response, ERROR_BYTES_MAX), statusCode));
  }
}

const sendRequest = (url: URL, options: https.RequestOptions, text: string | undefined) =>
  new Promise<http.IncomingMessage>((resolve, reject) => {
    const request = (url.protocol === "http:" ? http : https).request(url, options, resolve);
    request.once("error", reject);
    request.end(text);
  });

async function readBytes(stream: Readable, bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw new Error(`the API server replied with more than ${bytesMax} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The sentence of a Status object, or the status of HTTP. */
function messageOf(body: Buffer, status: number): string {
  try {
    const { message } = JSON.parse(body.toString("utf8")) as { message?: unknown };
    if (typeof message === "string") return message.slice(0, MESSAGE_CHARS_MAX);
  } catch {
    // A proxy before the API server may reply with anything.
  }
  return `the API server replied with status ${status}`;
}

function isPassing(cause: unknown): boolean {
  if (cause instanceof KubernetesError) return cause.status === 429 || cause.status >= 500;
  return cause instanceof Error && "code" in cause && cause.name !== "TimeoutError";
}
