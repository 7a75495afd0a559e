/** A rate: `burst` requests at once, refilled at `perSecond` (GCRA). */
export interface Rate {
  perSecond: number;
  burst: number;
}

export interface RateVerdict {
  allowed: boolean;
  /** Requests that would pass right now. */
  remaining: number;
  /** 0 when allowed. */
  retryAfterMs: number;
  /** Until the bucket is full again. */
  resetMs: number;
}

/** One window of a cap: at most `count` events of `key` in any `windowMs`. */
export interface CapWindow {
  key: string;
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
  /** Whose caps these are; all keys of one user live together (Redis Cluster hash tag). */
  user: string;
  windows: CapWindow[];
  /** In rank order; the first `wanted` with room are reserved. */
  candidates: CapCandidate[];
  wanted: number;
  /** How long an unsettled reservation counts. */
  holdMs: number;
}

export interface CapVerdicts {
  /** The engine's time, in milliseconds, that `settle` wants back. */
  reservedAtMs: number;
  /** One per candidate: reserved, not needed any more, or blocked by a window without room. */
  verdicts: ("reserved" | "not_needed" | { blockedBy: number })[];
}

export interface SettleCaps {
  user: string;
  id: string;
  reservedAtMs: number;
  windows: Pick<CapWindow, "key" | "windowMs">[];
}

/**
 * Fast shared state: rate limits, frequency caps, publish and subscribe. Every call is one atomic step.
 * Two engines: in process (one svc process) and Redis (any number); test/contract/counters.ts holds for both.
 */
export interface Counters {
  readonly engine: "memory" | "redis";
  /** Takes `cost` (default 1) from the bucket of `key`, or nothing when it does not fit. */
  take(key: string, rate: Rate, cost?: number): Promise<RateVerdict>;
  /** Reserves the first candidates whose every window has room; reserving an id again changes nothing. */
  reserve(request: ReserveCaps): Promise<CapVerdicts>;
  /** From now on the id counts for its whole windows, from the moment it was reserved. False when the hold was over. */
  settle(request: SettleCaps): Promise<boolean>;
  /** Gives the places of an id back. */
  release(request: Pick<SettleCaps, "user" | "id" | "windows">): Promise<void>;
  publish(topic: string, message: string): Promise<void>;
  /** Delivers to every process, at most once; answers how to stop. */
  subscribe(topic: string, onMessage: (message: string) => void): Promise<() => Promise<void>>;
  ping(): Promise<void>;
  close(): Promise<void>;
}
