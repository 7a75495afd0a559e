import type { Operation } from "./operation";
import type { Failure } from "./read-answer";

const BACKOFF_MS = 500;
const BACKOFF_MAX_MS = 20_000;
const BUSY = new Set([502, 503, 504]);
/** Causes of `fetch failed` under which nothing was sent. */
const UNSENT = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"]);

interface Repeatable {
  operation: Operation;
  canRepeatBody: boolean;
}

/** Whether an operation may be sent again: always where it happens once all the same, else when it cannot have happened. */
export function retriesOf({ operation, canRepeatBody }: Repeatable, failure: Failure): boolean {
  if (!canRepeatBody) return false;
  if (isLimited(failure) || wasNotSent(failure)) return true;
  if (operation.idempotent && failure.details?.reason === "idempotency_running") return true;
  const isPassing = failure.code === "network" || failure.code === "timeout" || BUSY.has(failure.status);
  return isPassing && (operation.idempotent === true || operation.repeatable === true);
}

/**
 * Milliseconds to wait before the next try: a random part of a time that doubles from try to try ("full jitter"), after
 * what `Retry-After` asked for, so that clients which were refused together do not come back together.
 */
export function pauseMsAfter({ retryAfterSeconds = 0 }: Failure, tried: number, random: () => number): number {
  return retryAfterSeconds * 1000 + random() * Math.min(BACKOFF_MAX_MS, BACKOFF_MS * 2 ** tried);
}

/** A used-up quota has the same status and is not over in a moment. */
const isLimited = ({ code, status }: Failure): boolean =>
  code === "rate_limited" || (status === 429 && code === "unreadable");

function wasNotSent({ code, cause }: Failure): boolean {
  if (code !== "network" || !(cause instanceof Error)) return false;
  const behind = cause.cause as { code?: unknown } | undefined;
  return UNSENT.has(String(behind?.code));
}
