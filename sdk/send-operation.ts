import type { Fetch } from "./call-api";
import type { CallOptions, Operation } from "./operation";
import { type ApiAnswer, type Failure, readAnswer, wordsOf } from "./read-answer";
import { pauseMsAfter, retriesOf } from "./retry-policy";

const TIMEOUT_MS = 30_000;
const TOTAL_TIMEOUT_MS = 120_000;
const UPLOAD_TIMEOUT_MS = 3_600_000;
const RETRIES = 3;

/** Time and chance, for tests and for runtimes with their own. */
export interface Timing {
  /** Milliseconds since any moment, never backwards. */
  now: () => number;
  /** From 0 to 1, 1 excluded. */
  random: () => number;
  /** Resolves after the time, or rejects with the signal's reason. */
  sleep: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
}

export interface Transport extends Timing {
  fetch: Fetch;
  onRetry: (failure: Failure, pauseMs: number) => void;
}

/** One operation, ready to be sent as often as it takes. */
export interface Sending {
  operation: Operation;
  url: string;
  headers: Record<string, string>;
  /** Made anew for every try; undefined for none. */
  body: (() => BodyInit) | undefined;
  /** Whether `body` can be made more than once. */
  canRepeatBody: boolean;
}

/**
 * The JSON (or CSV) of an operation's answer. It is sent again where that is safe: after a random pause that grows, or
 * as `Retry-After` says, and only while that still ends within the time of the call.
 *
 * Rejects with the reason of the signal alone.
 */
export async function sendOperation(sending: Sending, transport: Transport, options: CallOptions): Promise<ApiAnswer> {
  const { upload } = sending.operation;
  const { signal, retries = RETRIES } = options;
  const {
    timeoutMs = upload ? UPLOAD_TIMEOUT_MS : TIMEOUT_MS,
    totalTimeoutMs = upload ? UPLOAD_TIMEOUT_MS : TOTAL_TIMEOUT_MS,
  } = options;
  const giveUpAt = transport.now() + totalTimeoutMs;
  for (let tried = 0; ; tried++) {
    signal?.throwIfAborted();
    const left = giveUpAt - transport.now();
    const answer = await sendOnce(sending, transport.fetch, { signal, timeoutMs: Math.min(timeoutMs, left) });
    if (!("failure" in answer) || tried >= retries || !retriesOf(sending, answer.failure)) return answer;
    const pauseMs = pauseMsAfter(answer.failure, tried, transport.random);
    if (transport.now() + pauseMs >= giveUpAt) return answer;
    transport.onRetry(answer.failure, pauseMs);
    await transport.sleep(pauseMs, signal);
  }
}

interface Limits {
  signal: AbortSignal | undefined;
  timeoutMs: number;
}

async function sendOnce(sending: Sending, fetch: Fetch, { signal, timeoutMs }: Limits): Promise<ApiAnswer> {
  const { operation, url, headers, body } = sending;
  const name = `${operation.method} ${operation.path}`;
  const ended = new AbortController();
  const end = (): void => ended.abort(signal?.reason);
  const timer = setTimeout(() => ended.abort(), timeoutMs);
  signal?.addEventListener("abort", end);
  try {
    const response = await fetch(url, {
      method: operation.method,
      headers,
      ...(body ? { body: body() } : {}),
      // Node wants this with a stream, and no other type of RequestInit knows it.
      ...(operation.upload ? { duplex: "half" } : {}),
      signal: ended.signal,
      cache: "no-store",
      // A key must not follow a redirect to another host.
      redirect: "manual",
    });
    const isCsv = response.ok && response.headers.get("content-type")?.startsWith("text/csv");
    return isCsv ? { body: await response.text() } : await readAnswer(name, response);
  } catch (cause) {
    signal?.throwIfAborted();
    return { failure: failureOf(name, { url, timeoutMs, isLate: ended.signal.aborted, cause, headers }) };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", end);
  }
}

interface Lost {
  url: string;
  timeoutMs: number;
  isLate: boolean;
  cause: unknown;
  headers: Record<string, string>;
}

function failureOf(name: string, { url, timeoutMs, isLate, cause, headers }: Lost): Failure {
  const requestId = headers["X-Request-ID"];
  if (isLate) {
    const message = `svc did not answer ${name} within ${Math.round(timeoutMs)} ms.`;
    return { status: 0, code: "timeout", message, requestId, cause };
  }
  const message = `svc could not be reached at ${new URL(url).origin} for ${name}: ${wordsOf(cause)}.`;
  return { status: 0, code: "network", message, requestId, cause };
}
