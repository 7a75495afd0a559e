/**
 * Most impressions come within seconds and most clicks within two minutes of an offer; what is still to come fades
 * exponentially, which needs no memory of single offers.
 */
export const SETTLES_AFTER_MS = 90_000;

/** What all processes together had served when it was read. */
export interface SharedPending {
  nanos: number;
  /** Only grows. */
  servedNanos: number;
  atMs: number;
}

/**
 * What offers that were served and have not settled are expected to cost, by campaign: what every process told Postgres
 * as far as it was read back, and what this process served since.
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

  /** All that was ever expected; differences of it are what was served meanwhile. */
  servedNanos(campaignId: string): number {
    return this.#own(campaignId) + (this.#shared.get(campaignId)?.servedNanos ?? 0);
  }

  /** What to tell Postgres; it counts as this process's own until `settle` or `keep`. */
  take(): ReadonlyMap<string, number> {
    this.#sending = this.#unsent;
    this.#unsent = new Map();
    return this.#sending;
  }

  /** What was taken is in Postgres, and this is what stands there. */
  settle(shared: ReadonlyMap<string, SharedPending>): void {
    this.#shared = shared;
    this.#sending = new Map();
  }

  /** What was taken did not reach Postgres. */
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
