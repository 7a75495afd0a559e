const MINUTE_MS = 60_000;

/** What one fetch may take, in time and bytes, besides the limits of every import. */
export interface FetchLimits {
  /** Concurrent fetches of a process. */
  fetchesMax: number;
  redirectsMax: number;
  /** From the start of one request to its response's headers. */
  responseMs: number;
  /** The whole import. */
  totalMs: number;
  /** Of the time spent waiting for the server; in each, at least `bytesMin` must arrive. */
  windowMs: number;
  bytesMin: number;
}

export const FETCH_LIMITS: FetchLimits = {
  fetchesMax: 4,
  redirectsMax: 5,
  responseMs: MINUTE_MS / 2,
  totalMs: 30 * MINUTE_MS,
  windowMs: MINUTE_MS,
  bytesMin: 64 * 1024,
};
