import { type ApiAnswer, type Failure, readAnswer, wordsOf } from "./read-answer";

export type { ApiAnswer, Failure } from "./read-answer";

const TIMEOUT_MS = 5_000;
const ATTEMPTS_MAX = 3;
const BACKOFF_MS = 250;

/** The `fetch` of browsers, Node and edge runtimes, or one that behaves like it. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface CallOptions {
  /** Ends the call, which then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** For the whole call, retries and their pauses included. Default 5,000. */
  timeoutMs?: number | undefined;
  /**
   * True when the reader's browser sent `Sec-GPC: 1` (Global Privacy Control): nothing is then remembered about them.
   * For servers; a browser sends the header itself.
   */
  gpc?: boolean | undefined;
}

export interface ApiCall {
  fetch: Fetch | undefined;
  /** Where svc is, without a slash at its end, as `readBaseUrl` gives it. */
  baseUrl: string;
  path: string;
  headers: Record<string, string>;
  body: unknown;
  /** Whether the call may be sent again after such a failure. */
  retries: (failure: Failure) => boolean;
}

/**
 * Sends a POST, up to three times where it may be sent again: after the `Retry-After` that the answer names, else after
 * a growing random pause, and only while that still ends within the time of the call.
 */
export async function callApi(call: ApiCall, options: CallOptions = {}): Promise<ApiAnswer> {
  const { signal, timeoutMs = TIMEOUT_MS, gpc } = options;
  signal?.throwIfAborted();
  const late = AbortSignal.timeout(timeoutMs);
  const ended = signal ? AbortSignal.any([signal, late]) : late;
  const giveUpAt = performance.now() + timeoutMs;
  for (let attempt = 1; ; attempt++) {
    const answer = await sendOnce(call, { ended, timeoutMs, gpc });
    signal?.throwIfAborted();
    if (!("failure" in answer) || attempt === ATTEMPTS_MAX || !call.retries(answer.failure)) return answer;
    const pauseMs = pauseAfter(answer.failure, attempt);
    if (performance.now() + pauseMs >= giveUpAt) return answer;
    await pause(pauseMs, ended);
    signal?.throwIfAborted();
  }
}

/** For calls that count once however often they arrive: again after a lost answer, a limit or a failure of the server. */
export const isPassing = ({ status, code }: Failure): boolean =>
  code === "network" || status >= 500 || code === "rate_limited" || (status === 429 && code === "unreadable");

/** The address without a slash at its end. @throws TypeError when it is no http(s) address. */
export function readBaseUrl(baseUrl: string): string {
  const parsed = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (!parsed || !/^https?:$/.test(parsed.protocol)) {
    throw new TypeError(`baseUrl must be the http(s) address of svc, such as "https://svc.example", not "${baseUrl}".`);
  }
  return (parsed.origin + parsed.pathname).replace(/\/$/, "");
}

interface Sending {
  ended: AbortSignal;
  timeoutMs: number;
  gpc: boolean | undefined;
}

async function sendOnce(call: ApiCall, { ended, timeoutMs, gpc }: Sending): Promise<ApiAnswer> {
  const { fetch = globalThis.fetch.bind(globalThis), baseUrl, path, headers, body } = call;
  const name = `POST ${path}`;
  try {
    const response = await fetch(`${baseUrl}${path}`, {
      method: "POST",
      headers: gpc ? { ...headers, "Sec-GPC": "1" } : headers,
      body: JSON.stringify(body),
      signal: ended,
      // Each answer mints offers; a copy of one would count for nobody.
      cache: "no-store",
      // A key must not follow a redirect to another host.
      redirect: "manual",
    });
    return await readAnswer(name, response);
  } catch (cause) {
    if (ended.aborted) {
      const message = `svc did not answer ${name} within ${timeoutMs} ms.`;
      return { failure: { status: 0, code: "timeout", message, cause } };
    }
    const message = `svc could not be reached at ${baseUrl} for ${name}: ${wordsOf(cause)}.`;
    return { failure: { status: 0, code: "network", message, cause } };
  }
}

function pauseAfter({ retryAfterSeconds }: Failure, attempt: number): number {
  if (retryAfterSeconds !== undefined) return retryAfterSeconds * 1000;
  return BACKOFF_MS * 2 ** (attempt - 1) * (0.5 + Math.random() / 2);
}

function pause(ms: number, ended: AbortSignal): Promise<void> {
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
