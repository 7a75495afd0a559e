import type { Fetch } from "./call-api";
import { mediaTypeOf } from "./media-type";
import type { CallOptions, Operation } from "./operation";
import { type ApiResult, errorText, type Failure, type ParseJson, parseResponse } from "./parse-response";
import { retryDelayMs, shouldRetry } from "./retry-policy";

const TIMEOUT_MS = 30_000;
const TOTAL_TIMEOUT_MS = 120_000;
const UPLOAD_TIMEOUT_MS = 3_600_000;
const RETRIES = 3;

/** Clock and randomness, replaceable for tests and other runtimes. */
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
  parseJson: ParseJson | undefined;
  onRetry: (failure: Failure, pauseMs: number) => void;
}

/** One HTTP request, which can be sent repeatedly. */
export interface OperationRequest {
  operation: Operation;
  url: string;
  headers: Record<string, string>;
  /** Created for every attempt; undefined without a body. */
  body: (() => BodyInit) | undefined;
  /** Whether `body` can be created more than once. */
  canRepeatBody: boolean;
  /** How long svc may wait before it responds, for a long poll; the timeouts begin after it. */
  waitMs: number;
}

/**
 * The JSON (or CSV) response of an operation. Retried where that is safe: after a random, growing delay, or after `Retry-After`, and only while that ends within the call's total timeout.
 *
 * Rejects only with the signal's reason.
 */
export async function sendOperation(
  sending: OperationRequest,
  transport: Transport,
  options: CallOptions,
): Promise<ApiResult> {
  const { waitMs } = sending;
  const { upload } = sending.operation;
  const { signal, retries = RETRIES } = options;
  const {
    timeoutMs = upload ? UPLOAD_TIMEOUT_MS : TIMEOUT_MS,
    totalTimeoutMs = upload ? UPLOAD_TIMEOUT_MS : TOTAL_TIMEOUT_MS,
  } = options;
  const deadline = transport.now() + totalTimeoutMs + waitMs;
  for (let attempt = 0; ; attempt++) {
    signal?.throwIfAborted();
    const left = deadline - transport.now();
    const result = await sendOnce(sending, transport, { signal, timeoutMs: Math.min(timeoutMs + waitMs, left) });
    if (!("failure" in result) || attempt >= retries || !shouldRetry(sending, result.failure)) return result;
    const pauseMs = retryDelayMs(result.failure, attempt, transport.random);
    if (transport.now() + pauseMs >= deadline) return result;
    transport.onRetry(result.failure, pauseMs);
    await transport.sleep(pauseMs, signal);
  }
}

interface Limits {
  signal: AbortSignal | undefined;
  timeoutMs: number;
}

async function sendOnce(
  sending: OperationRequest,
  { fetch, parseJson }: Pick<Transport, "fetch" | "parseJson">,
  { signal, timeoutMs }: Limits,
): Promise<ApiResult> {
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
      // Node requires this for a stream; the type RequestInit lacks it.
      ...(operation.upload ? { duplex: "half" } : {}),
      signal: ended.signal,
      cache: "no-store",
      // A key must not follow a redirect to another host.
      redirect: "manual",
    });
    const isCsv = response.ok && mediaTypeOf(response) === "text/csv";
    return isCsv ? { body: await response.text() } : await parseResponse(name, response, parseJson);
  } catch (cause) {
    signal?.throwIfAborted();
    return { failure: failureOf(name, { url, timeoutMs, isTimeout: ended.signal.aborted, cause, headers }) };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", end);
  }
}

interface FailedAttempt {
  url: string;
  timeoutMs: number;
  isTimeout: boolean;
  cause: unknown;
  headers: Record<string, string>;
}

function failureOf(name: string, { url, timeoutMs, isTimeout: isLate, cause, headers }: FailedAttempt): Failure {
  const requestId = headers["X-Request-ID"];
  if (isLate) {
    const message = `svc did not respond to ${name} within ${Math.round(timeoutMs)} ms.`;
    return { status: 0, code: "timeout", message, requestId, cause };
  }
  const message = `svc could not be reached at ${new URL(url).origin} for ${name}: ${errorText(cause)}.`;
  return { status: 0, code: "network", message, requestId, cause };
}
