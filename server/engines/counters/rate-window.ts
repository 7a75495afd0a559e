import type { RateVerdict, RateWindow } from "./counters";

/**
 * One step of a sliding window. `stopsMs` are the times, in order, at which the requests so far stop counting; it is
 * changed in place. `rate-window.lua.ts` does the same arithmetic in Redis.
 */
export function slide(stopsMs: number[], nowMs: number, { count, windowMs }: RateWindow): RateVerdict {
  const live = stopsMs.findIndex((stopMs) => stopMs > nowMs);
  stopsMs.splice(0, live < 0 ? stopsMs.length : live);
  const allowed = stopsMs.length < count;
  if (allowed) stopsMs.push(nowMs + windowMs);
  return {
    allowed,
    remaining: Math.max(0, count - stopsMs.length),
    // If the count was lowered, more than one request has to expire first.
    retryAfterMs: allowed ? 0 : (stopsMs[stopsMs.length - count] ?? nowMs) - nowMs,
    resetMs: (stopsMs.at(-1) ?? nowMs) - nowMs,
  };
}
