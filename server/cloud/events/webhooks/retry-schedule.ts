import { RETRIES } from "./claim";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The pause before each retry; together just under 24 h. */
const DELAYS_MS = [MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, 5 * HOUR_MS, 17.8 * HOUR_MS];
/** Each pause is longer or shorter by up to this share, so that deliveries that failed together are spread. */
const JITTER = 0.2;

export interface FailedAttempt {
  now: Date;
  retriesLeft: number;
  /** 24 h after the first attempt. */
  retryUntil: Date;
  /** How long the endpoint asked to wait. */
  retryAfterMs: number | undefined;
}

/**
 * When a failed attempt is retried: after the pause of the schedule, or later if the endpoint asked for it, but within
 * 24 h of the first attempt. undefined: not any more.
 */
export function retryAt(
  { now, retriesLeft, retryUntil, retryAfterMs = 0 }: FailedAttempt,
  random: () => number,
): Date | undefined {
  const delay = retriesLeft > 0 ? DELAYS_MS[RETRIES - retriesLeft] : undefined;
  if (delay === undefined || now >= retryUntil) return undefined;
  const jittered = delay * (1 + JITTER * (2 * random() - 1));
  return new Date(Math.min(now.getTime() + Math.max(jittered, retryAfterMs), retryUntil.getTime()));
}

/** The pause that a Retry-After header asks for: seconds, or until a date. undefined if it is neither. */
export function retryAfterOf(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const at = /^[A-Z][a-z]{2}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime());
}
