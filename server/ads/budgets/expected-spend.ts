/**
 * Most impressions occur within seconds and most clicks within two minutes of an offer. Outstanding events decay
 * exponentially, so single offers need not be tracked.
 */
export const SETTLES_AFTER_MS = 90_000;

/** What all processes together had served at the time of the read. */
export interface SharedPending {
  nanos: number;
  /** Only increases. */
  servedNanos: number;
  atMs: number;
}

/**
 * The expected cost per campaign of offers that were served and have not settled: what every process reported to
 * Postgres as of the last read, plus what this process served since then.
 */
export class ExpectedSpend {
  #shared: ReadonlyMap<string, SharedPending> = new Map();
  #unsent = new Map<string, number>();
  #sending: ReadonlyMap<string, number> = new Map();

  note(campaignId: string, nanos: number): void {
    if (nanos > 0) this.#unsent.set(campaignId, (this.#unsent.get(campaignId) ?? 0) + nanos);
  }

  pendingNanos(campaignId: string, nowMs: number): number {
    const shared = this.#shared.get(campaignId);
    return this.#own(campaignId) + (shared ? shared.nanos * stillToCome(nowMs - shared.atMs) : 0);
  }

  /** The sum of all expected cost so far; two values differ by what was served in between. */
  servedNanos(campaignId: string): number {
    return this.#own(campaignId) + (this.#shared.get(campaignId)?.servedNanos ?? 0);
  }

  /** Returns what to write to Postgres; it counts as local to this process until `reconcile` or `keep`. */
  take(): ReadonlyMap<string, number> {
    this.#sending = this.#unsent;
    this.#unsent = new Map();
    return this.#sending;
  }

  /** The taken amounts were written to Postgres, which now has these values. */
  reconcile(shared: ReadonlyMap<string, SharedPending>): void {
    this.#shared = shared;
    this.#sending = new Map();
  }

  /** The taken amounts could not be written to Postgres. */
  keep(): void {
    const failed = this.#sending;
    this.#sending = new Map();
    for (const [campaignId, nanos] of failed) this.note(campaignId, nanos);
  }

  #own(campaignId: string): number {
    return (this.#unsent.get(campaignId) ?? 0) + (this.#sending.get(campaignId) ?? 0);
  }
}

const stillToCome = (ageMs: number): number => Math.exp(-Math.max(0, ageMs) / SETTLES_AFTER_MS);
