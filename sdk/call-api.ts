import { stringifyJson } from "./exact-json";
import { type ApiResult, errorText, type Failure, parseResponse } from "./parse-response";

export type { ApiResult, Failure } from "./parse-response";

const TIMEOUT_MS = 5_000;
const ATTEMPTS_MAX = 3;
const BACKOFF_MS = 250;

/** The `fetch` of browsers, Node and edge runtimes, or one that behaves like it. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface CallOptions {
  /** Ends the call, which then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** For the whole call, including retries and their delays. Default 5,000. */
  timeoutMs?: number | undefined;
  /**
   * True when the reader's browser sent `Sec-GPC: 1` (Global Privacy Control): nothing is then remembered about them.
   * For servers; a browser sends the header itself.
   */
  gpc?: boolean | undefined;
}

export interface ApiCall {
  fetch: Fetch | undefined;
  /** The base URL of svc without a trailing slash, from `readBaseUrl`. */
  baseUrl: string;
  path: string;
  headers: Record<string, string>;
  body: unknown;
  /** Whether the call may be retried after this failure. */
  retries: (failure: Failure) => boolean;
}

/**
 * Sends a POST, up to three times when a retry is allowed: after the response's `Retry-After`, or else after a random, growing delay, and only while that ends within the call's timeout.
 */
export async function callApi(call: ApiCall, options: CallOptions = {}): Promise<ApiResult> {
  const { signal, timeoutMs = TIMEOUT_MS, gpc } = options;
  signal?.throwIfAborted();
  const timeout = AbortSignal.timeout(timeoutMs);
  const ended = signal ? AbortSignal.any([signal, timeout]) : timeout;
  const deadline = performance.now() + timeoutMs;
  for (let attempt = 1; ; attempt++) {
    const result = await sendOnce(call, { ended, timeoutMs, gpc });
    signal?.throwIfAborted();
    if (!("failure" in result) || attempt === ATTEMPTS_MAX || !call.retries(result.failure)) return result;
    const pauseMs = retryDelayMs(result.failure, attempt);
    if (performance.now() + pauseMs >= deadline) return result;
    await delay(pauseMs, ended);
    signal?.throwIfAborted();
  }
}

/** For idempotent calls: whether to retry, after a network error, a rate limit or a server error. */
export const isTransient = ({ status, code }: Failure): boolean =>
  code === "network" || status >= 500 || code === "rate_limited" || (status === 429 && code === "unreadable");

/**
 * The URL without slashes at its end, and without `/v1`, with which the address of the platform may end: paths begin
 * with it. @throws TypeError when it is not an http(s) URL.
 */
export function readBaseUrl(baseUrl: string): string {
  const parsed = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (!parsed || !/^https?:$/.test(parsed.protocol)) {
    throw new TypeError(`baseUrl must be the http(s) URL of svc, such as "https://svc.example", not "${baseUrl}".`);
  }
  return withoutVersion(parsed.origin + parsed.pathname);
}

/** As `readBaseUrl`, for the API of offers, whose paths begin with `/api/v1`: the address may end with it. */
export const readOffersBaseUrl = (baseUrl: string): string => readBaseUrl(baseUrl.replace(/\/api\/v1\/*$/, ""));

/** An address without slashes at its end, and without the version segment before them. */
export const withoutVersion = (address: string): string =>
  address
    .replace(/\/+$/, "")
    .replace(/\/+v1$/, "")
    .replace(/\/+$/, "");

interface Attempt {
  ended: AbortSignal;
  timeoutMs: number;
  gpc: boolean | undefined;
}

async function sendOnce(call: ApiCall, { ended, timeoutMs, gpc }: Attempt): Promise<ApiResult> {
  const { fetch = globalThis.fetch.bind(globalThis), baseUrl, path, headers, body } = call;
  const name = `POST ${path}`;
  try {
    const response = await fetch(`${baseUrl}${path}`, {
      method: "POST",
      headers: gpc ? { ...headers, "Sec-GPC": "1" } : headers,
      body: stringifyJson(body),
      signal: ended,
      // Each response contains new offers; a cached copy would not be counted.
      cache: "no-store",
      // A key must not follow a redirect to another host.
      redirect: "manual",
    });
    return await parseResponse(name, response);
  } catch (cause) {
    if (ended.aborted) {
      const message = `svc did not respond to ${name} within ${timeoutMs} ms.`;
      return { failure: { status: 0, code: "timeout", message, cause } };
    }
    const message = `svc could not be reached at ${baseUrl} for ${name}: ${errorText(cause)}.`;
    return { failure: { status: 0, code: "network", message, cause } };
  }
}

function retryDelayMs({ retryAfterSeconds }: Failure, attempt: number): number {
  if (retryAfterSeconds !== undefined) return retryAfterSeconds * 1000;
  return BACKOFF_MS * 2 ** (attempt - 1) * (0.5 + Math.random() / 2);
}

function delay(ms: number, ended: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      ended.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    ended.addEventListener("abort", done);
  });
}
