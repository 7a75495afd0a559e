/**
 * A rate: `burst` requests at once, refilled at `perSecond` (GCRA, the generic cell rate algorithm of ATM Forum TM 4.0:
 * one "theoretical arrival time" per key). Stored in whole microseconds per request, so `perSecond` is exact to 0.5
 * microseconds. In any `t` seconds at most `burst + t * perSecond` requests pass.
 */
export interface Rate {
  /** More than 0, at most 1,000,000; may be a fraction (`1 / 60` is one per minute). */
  perSecond: number;
  /** A whole number, at least 1. */
  burst: number;
}

export interface RateVerdict {
  allowed: boolean;
  /** Requests that would pass right now. */
  remaining: number;
  /** 0 when allowed; otherwise the same call passes after this time if no other call takes from the bucket. */
  retryAfterMs: number;
  /** Time until the bucket is full again. */
  resetMs: number;
}

/**
 * At most `count` requests in any `windowMs`, exactly, wherever it begins; each request is stored until it is that old.
 */
export interface RateWindow {
  /** A whole number, at least 1. */
  count: number;
  /** Whole milliseconds. The same key with another length is a different window. */
  windowMs: number;
}

/** A number that only grows, and is reset to 0 `lifeMs` after the last addition. */
export interface Tally {
  key: string;
  /** What to add, a whole number; 0 only reads. */
  by: number;
  /** Whole milliseconds. */
  lifeMs: number;
}

/**
 * One window of a cap: at most `count` events of `key` in any `windowMs`. The same key with another window is a
 * different cap.
 */
export interface CapWindow {
  key: string;
  /** A whole number; 0 blocks everything. */
  count: number;
  windowMs: number;
}

export interface CapCandidate {
  /** The id of the offer that would be created. */
  id: string;
  /** Indexes into `windows`; all of them must have room. */
  windows: number[];
}

export interface ReserveCaps {
  /** The user that the caps apply to, not empty; all keys of one user are stored together (Redis Cluster hash tag). */
  user: string;
  /** The same window may be listed with several limits: each candidate refers to its own. */
  windows: CapWindow[];
  /** In rank order; the first `wanted` with room are reserved. */
  candidates: CapCandidate[];
  wanted: number;
  /** How long an unsettled reservation counts (never longer than the window itself). */
  holdMs: number;
  /** Fail with `unavailable` (reason `counts_lost`) while the engine may lack counts; see `countedThrough`. */
  whole?: boolean | undefined;
}

/** The input of `look`: as for `reserve`, but nothing is reserved. */
export type CapsToLookUp = Omit<ReserveCaps, "holdMs">;

export interface CapVerdicts {
  /** The engine's time, in milliseconds, to be passed to `confirm`. */
  reservedAtMs: number;
  /** One per candidate: reserved, not needed any more, or blocked by a window (its index) without room. */
  verdicts: ("reserved" | "not_needed" | { blockedBy: number })[];
}

export interface ConfirmCaps {
  user: string;
  id: string;
  reservedAtMs: number;
  windows: Pick<CapWindow, "key" | "windowMs">[];
  /** For a reservation that is restored unsettled: it counts at most this long after it was made. */
  holdMs?: number | undefined;
}

/**
 * Fast shared state: rate limits, frequency caps, publish and subscribe. Every call is one atomic step. There are two
 * engines: in process (one svc process) and Redis (any number of processes); test/contract/counters.ts tests both.
 * Errors: `unavailable` when the engine does not respond within half a second (the step may or may not have happened);
 * `invalid_request` for a cost above the burst, which could never pass; RangeError for arguments outside their range.
 */
export interface Counters {
  readonly engine: "memory" | "redis";
  /** Takes `cost` (default 1; 0 only reads) from the bucket of `key`, or nothing if it does not fit. */
  take(key: string, rate: Rate, cost?: number): Promise<RateVerdict>;
  /** Takes one place in the window of `key` if there is one. A rejected request takes nothing. */
  takeWindow(key: string, window: RateWindow): Promise<RateVerdict>;
  /** Adds to every tally and returns the new totals, in the same order. */
  count(tallies: readonly Tally[]): Promise<number[]>;
  /** Reserves the first candidates whose windows all have room; reserving an id again changes nothing. */
  reserve(request: ReserveCaps): Promise<CapVerdicts>;
  /** The results that `reserve` would return right now; nothing is reserved. */
  look(request: CapsToLookUp): Promise<CapVerdicts["verdicts"]>;
  /**
   * Makes the id count for its full windows, from the time it was reserved, even if the engine lost its place or never
   * had it. Windows that have ended are skipped, and limits are not checked. Repeating the call changes nothing.
   */
  confirm(request: ConfirmCaps): Promise<void>;
  /** Releases the places of an id. */
  release(request: Pick<ConfirmCaps, "user" | "id" | "windows">): Promise<void>;
  /**
   * The time up to which every event is known to be counted, as set by the last `rebuild` or `recordCounted`. Undefined
   * while the engine may lack counts: the in-process engine after its start, Redis after it was emptied or replaced by
   * another server.
   */
  countedThrough(): Promise<number | undefined>;
  /**
   * Records that every event up to a time is counted; the latest time is kept. Has no effect while counts are lacking.
   */
  recordCounted(throughMs: number): Promise<void>;
  /**
   * Calls `fill`, which restores all counts and returns the time up to which it did; after that the counts are
   * complete. Only one process rebuilds at a time. Returns false, without calling `fill`, while another process
   * rebuilds, and false if counts were lost meanwhile; returns true at once if nothing is lacking.
   */
  rebuild(fill: () => Promise<number>): Promise<boolean>;
  publish(topic: string, message: string): Promise<void>;
  /**
   * Delivers to every process, at most once; returns a function that unsubscribes. Messages sent while the engine is
   * unavailable are lost.
   */
  subscribe(topic: string, onMessage: (message: string) => void): Promise<() => Promise<void>>;
  ping(): Promise<void>;
  close(): Promise<void>;
}
