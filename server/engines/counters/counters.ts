/**
 * A rate: `burst` requests at once, refilled at `perSecond` (GCRA, the generic cell rate algorithm of ATM Forum
 * TM 4.0: one "theoretical arrival time" per key). Kept in whole microseconds per request, so `perSecond` is exact to
 * 0.5 microseconds. In any `t` seconds at most `burst + t * perSecond` requests pass.
 */
export interface Rate {
  /** More than 0, at most 1,000,000; fractions are fine (`1 / 60` is one a minute). */
  perSecond: number;
  /** A whole number, at least 1. */
  burst: number;
}

export interface RateVerdict {
  allowed: boolean;
  /** Requests that would pass right now. */
  remaining: number;
  /** 0 when allowed; otherwise the same call passes after this long if nobody else takes from the bucket. */
  retryAfterMs: number;
  /** Until the bucket is full again. */
  resetMs: number;
}

/** Exactly at most `count` requests in any `windowMs`, wherever it begins; it remembers each request until it is that old. */
export interface RateWindow {
  /** A whole number, at least 1. */
  count: number;
  /** Whole milliseconds. The same key with another length is another window. */
  windowMs: number;
}

/** One window of a cap: at most `count` events of `key` in any `windowMs`. The same key with another window is another cap. */
export interface CapWindow {
  key: string;
  /** A whole number; 0 blocks everything. */
  count: number;
  windowMs: number;
}

export interface CapCandidate {
  /** The offer that would be minted. */
  id: string;
  /** Indexes into `windows`; all of them must have room. */
  windows: number[];
}

export interface ReserveCaps {
  /** Whose caps these are, not empty; all keys of one user live together (Redis Cluster hash tag). */
  user: string;
  /** One window may stand here with several limits: each candidate names its own. */
  windows: CapWindow[];
  /** In rank order; the first `wanted` with room are reserved. */
  candidates: CapCandidate[];
  wanted: number;
  /** How long an unsettled reservation counts (never longer than the window itself). */
  holdMs: number;
  /** Refuse as `unavailable` (reason `counts_lost`) while the engine may lack counts; see `countedThrough`. */
  whole?: boolean | undefined;
}

/** What `look` asks: as for `reserve`, but nothing will be held. */
export type LookCaps = Omit<ReserveCaps, "holdMs">;

export interface CapVerdicts {
  /** The engine's time, in milliseconds, that `settle` wants back. */
  reservedAtMs: number;
  /** One per candidate: reserved, not needed any more, or blocked by a window (its index) without room. */
  verdicts: ("reserved" | "not_needed" | { blockedBy: number })[];
}

export interface SettleCaps {
  user: string;
  id: string;
  reservedAtMs: number;
  windows: Pick<CapWindow, "key" | "windowMs">[];
  /** Of a reservation that is put back unsettled: it counts no longer than this after it was made. */
  holdMs?: number | undefined;
}

/**
 * Fast shared state: rate limits, frequency caps, publish and subscribe. Every call is one atomic step.
 * Two engines: in process (one svc process) and Redis (any number); test/contract/counters.ts holds for both.
 * Errors: `unavailable` when the engine does not answer within half a second (the step may or may not have happened);
 * `invalid_request` for a cost above the burst, which could never pass; RangeError for arguments outside their range.
 */
export interface Counters {
  readonly engine: "memory" | "redis";
  /** Takes `cost` (default 1; 0 only looks) from the bucket of `key`, or nothing when it does not fit. */
  take(key: string, rate: Rate, cost?: number): Promise<RateVerdict>;
  /** Takes one place in the window of `key` when there is one. What is refused takes nothing. */
  takeWindow(key: string, window: RateWindow): Promise<RateVerdict>;
  /** Reserves the first candidates whose every window has room; reserving an id again changes nothing. */
  reserve(request: ReserveCaps): Promise<CapVerdicts>;
  /** The verdicts that `reserve` would give right now; nothing is held. */
  look(request: LookCaps): Promise<CapVerdicts["verdicts"]>;
  /**
   * From now on the id counts for its whole windows, from the moment it was reserved, also where the engine lost its
   * place or never had it: what has happened counts. Windows that have passed are left out, room is not asked for,
   * repeating it changes nothing.
   */
  settle(request: SettleCaps): Promise<void>;
  /** Gives the places of an id back. */
  release(request: Pick<SettleCaps, "user" | "id" | "windows">): Promise<void>;
  /**
   * Up to when every event is known to be counted, as the last `rebuild` or `noteCounted` gave it; undefined while the
   * engine may lack counts: the in-process one from its start, Redis whenever it was emptied or is another server.
   */
  countedThrough(): Promise<number | undefined>;
  /** Notes that every event up to then is counted; the latest time stays. Without effect while counts are lacking. */
  noteCounted(throughMs: number): Promise<void>;
  /**
   * Lets `fill` put everything back and answer up to when that was; from then on the counts are whole. One process at a
   * time does it: false, without a call of `fill`, while another one is at it, and false when counts were lost meanwhile.
   * Where nothing is lacking it answers true at once.
   */
  rebuild(fill: () => Promise<number>): Promise<boolean>;
  publish(topic: string, message: string): Promise<void>;
  /** Delivers to every process, at most once; answers how to stop. Messages sent while the engine is away are lost. */
  subscribe(topic: string, onMessage: (message: string) => void): Promise<() => Promise<void>>;
  ping(): Promise<void>;
  close(): Promise<void>;
}
