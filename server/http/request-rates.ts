import type { Rate } from "../engines/counters/counters";
import { QUOTAS } from "../identity/quotas/quota";

/** What a caller may ask when no operator has set another rate for its tenant ("Limits" of the specification). */
export const REQUESTS_PER_MINUTE = QUOTAS.requests_per_minute.defaultLimit;

/** Endpoints of cost `bulk`, for each caller ("Limits" of the specification). */
export const BULK_WINDOW = { count: 20, windowMs: 60_000 } as const;

/**
 * A bucket of two thirds of a minute's requests, refilled evenly: with 600 a minute, 400 pass at once and at most
 * 1,000 in any 60 s, which are the specification's two figures.
 */
export const rateOf = (requestsPerMinute: number): Rate => ({
  perSecond: requestsPerMinute / 60,
  burst: Math.max(1, Math.floor((requestsPerMinute * 2) / 3)),
});
