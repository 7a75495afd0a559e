import type { Rate, RateWindow } from "../engines/counters/counters";
import type { CostClass } from "./operation";

/** The rate of a caller unless an operator set another one for the tenant ("Limits" of the specification). */
export const REQUESTS_PER_MINUTE = 600;

/**
 * Requests to the S3 endpoint, which have a bucket of their own: a client that copies a folder sends one per object.
 * Anonymous requests for objects of public buckets are counted by address.
 */
export const S3_REQUESTS_PER_MINUTE = 60_000;
export const S3_ANONYMOUS_REQUESTS_PER_MINUTE = 6000;

/** So many elements of a batch count as one request. */
const ELEMENTS_PER_REQUEST = 50;

/** The requests that a batch counts as, at least one. */
export const requestsOf = (elements: number): number => Math.max(1, Math.ceil(elements / ELEMENTS_PER_REQUEST));

/** Calls of tools with the same scope, as a share of the requests per minute: 300 of 600 in the specification. */
export const TOOL_SHARE = 0.5;
export const TOOL_WINDOW_MS = 60_000;

/**
 * Additional limits per caller for expensive calls: `bulk` as in "Limits" of the specification, `report`
 * three times the requests of all dashboard pages open at the same time.
 */
export const WINDOWS = {
  bulk: { count: 20, windowMs: 60_000 },
  report: { count: 120, windowMs: 60_000 },
} as const satisfies Record<CostClass, RateWindow>;

/**
 * A token bucket of two thirds of a minute's requests, refilled evenly: with 600 per minute, 400 may come at once and
 * at most 1,000 in any 60 s, the two figures of the specification.
 */
export const rateOf = (requestsPerMinute: number): Rate => ({
  perSecond: requestsPerMinute / 60,
  burst: Math.max(1, Math.floor((requestsPerMinute * 2) / 3)),
});
