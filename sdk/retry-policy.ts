import type { Operation } from "./operation";
import type { Failure } from "./parse-response";

const BACKOFF_MS = 500;
const BACKOFF_MAX_MS = 20_000;
const RETRYABLE_STATUSES = new Set([502, 503, 504]);
/** Causes of `fetch failed` for which the request was not sent. */
const NOT_SENT_CODES = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"]);

interface Repeatable {
  operation: Operation;
  canRepeatBody: boolean;
}

/** Whether an operation may be retried: always if it is idempotent, otherwise only if it cannot have taken effect. */
export function shouldRetry({ operation, canRepeatBody }: Repeatable, failure: Failure): boolean {
  if (!canRepeatBody) return false;
  if (isLimited(failure) || wasNotSent(failure)) return true;
  if (operation.idempotent && failure.details?.reason === "idempotency_running") return true;
  const isTransient =
    failure.code === "network" || failure.code === "timeout" || RETRYABLE_STATUSES.has(failure.status);
  return isTransient && (operation.idempotent === true || operation.repeatable === true);
}

/**
 * The delay before the next attempt in milliseconds: `Retry-After` plus exponential backoff with full jitter, so that clients that failed together do not retry together.
 */
export function retryDelayMs({ retryAfterSeconds = 0 }: Failure, attempt: number, random: () => number): number {
  return retryAfterSeconds * 1000 + random() * Math.min(BACKOFF_MAX_MS, BACKOFF_MS * 2 ** attempt);
}

/** An exhausted quota has the same status, but retrying does not help. */
const isLimited = ({ code, status }: Failure): boolean =>
  code === "rate_limited" || (status === 429 && code === "unreadable");

function wasNotSent({ code, cause }: Failure): boolean {
  if (code !== "network" || !(cause instanceof Error)) return false;
  const behind = cause.cause as { code?: unknown } | undefined;
  return NOT_SENT_CODES.has(String(behind?.code));
}
