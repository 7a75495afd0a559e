import type { Pool } from "pg";
import type { Logger } from "pino";
import type { CapsToLookUp, CapVerdicts, ConfirmCaps, Counters } from "../../engines/counters/counters";
import type { Clock } from "../../kernel/clock";
import { pause } from "../../kernel/pause";
import { type Repeating, repeat } from "../../kernel/repeat";
import { undefinedIfUnavailable } from "../../kernel/undefined-if-unavailable";
import { CAP_HOLD_MS, CAP_RECORDED_WITHIN_MS, OFFER_AHEAD_MS } from "../limits";
import type { OfferRecord } from "../offer-records/offer-record";
import { eventsNotedSince, heldPlaces, lastingEvents, postgresNowMs } from "./cap-events.sql";
import { eraseCaps } from "./erase-caps";

const LOOK_EVERY_MS = 500;
const CATCH_UP_EVERY_MS = 5 * 60_000;
/** A claim is committed at most this long after its timestamp: longer than any statement may run. */
const COMMITTED_WITHIN_MS = 2 * 60_000;
/** Startup waits this long for the counts to be restored; campaigns with caps follow later. */
const START_WAITS_MS = 2000;
/** Within this time, a process that reserved before the counts were lost has recorded its offer or never returns it. */
const IN_FLIGHT_MS = CAP_RECORDED_WITHIN_MS + 500;

export interface CapParts {
  sql: Pool;
  counters: Counters;
  clock: Clock;
  log: Pick<Logger, "info" | "warn">;
}

export interface ReservedPlaces extends CapVerdicts {
  /** The offers must be recorded before this time (on the clock of `performance.now()`) or must not be returned. */
  recordByMs: number;
}

/**
 * The counts for frequency caps. They are stored in the counters engine and rebuilt from Postgres, which has every
 * counted impression in `cap_events` and every reservation on its offer. While counts are missing (after a start with
 * in-process counters, or after Redis lost its data), nothing is reserved, so no cap is exceeded.
 */
export class CapCounts {
  readonly #parts: CapParts;
  readonly #stopping = new AbortController();
  #looking: Repeating | undefined;
  #isReady = false;
  /** An impression did not reach the counters engine. */
  #hasMissed = false;
  #caughtUpAt = Number.NEGATIVE_INFINITY;

  constructor(parts: CapParts) {
    this.#parts = parts;
  }

  /**
   * Restores missing counts, then checks them until `stop`. Resolves when caps can be counted, after 2 s at the latest.
   */
  async start(): Promise<void> {
    const { log } = this.#parts;
    const waiting = new AbortController();
    const round = async () => {
      await this.#look().catch((failure: unknown) => {
        if (!this.#stopping.signal.aborted) throw failure;
      });
      if (this.#isReady) waiting.abort();
    };
    this.#looking = repeat({ everyMs: LOOK_EVERY_MS, log, purpose: "count frequency caps" }, round, { atOnce: true });
    await pause(START_WAITS_MS, waiting.signal);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#looking?.stop();
  }

  /** Reserves places in one atomic step. Returns undefined while caps cannot be counted. */
  async reserve(request: CapsToLookUp): Promise<ReservedPlaces | undefined> {
    const { counters } = this.#parts;
    if (!this.#isReady) return undefined;
    const askedAt = performance.now();
    const reserved = await undefinedIfUnavailable(counters.reserve({ ...request, holdMs: CAP_HOLD_MS, whole: true }));
    // In-process counts are lost with the process, and so are the requests that used them.
    const recordByMs = counters.engine === "memory" ? Number.POSITIVE_INFINITY : askedAt + CAP_RECORDED_WITHIN_MS;
    return reserved && { ...reserved, recordByMs };
  }

  /** Returns the verdicts that `reserve` would return, or undefined while caps cannot be counted. */
  async look(request: CapsToLookUp): Promise<CapVerdicts["verdicts"] | undefined> {
    if (!this.#isReady) return undefined;
    return undefinedIfUnavailable(this.#parts.counters.look({ ...request, whole: true }));
  }

  /**
   * Counts a viewed offer for the full length of its windows. Postgres already has it; if the engine is unavailable, it
   * is counted later.
   */
  async confirm({ id, caps }: Pick<OfferRecord, "id" | "caps">): Promise<void> {
    if (!caps) return;
    await this.#parts.counters.confirm({ ...caps, id }).catch(() => {
      this.#hasMissed = true;
    });
  }

  /** Releases the reservations of offers that are not returned. */
  async release(held: readonly Pick<OfferRecord, "id" | "caps">[]): Promise<void> {
    const { counters } = this.#parts;
    await Promise.allSettled(held.map(({ id, caps }) => caps && counters.release({ ...caps, id })));
  }

  /**
   * Resolves when everything that caps counted for a user is deleted. Throws `unavailable` if an engine is unavailable.
   */
  erase(user: string): Promise<void> {
    return eraseCaps(this.#parts, user);
  }

  async #look(): Promise<void> {
    const { counters } = this.#parts;
    const throughMs = await counters.countedThrough();
    if (throughMs === undefined) {
      if (!(await counters.rebuild(() => this.#fill()))) return;
      await counters.countedThrough();
    } else if (this.#hasMissed || performance.now() - this.#caughtUpAt >= CATCH_UP_EVERY_MS) {
      await this.#catchUp(throughMs);
    }
    this.#isReady = true;
  }

  /** Returns the time up to which everything was restored, on the clock of Postgres. */
  async #fill(): Promise<number> {
    const { sql, clock, counters, log } = this.#parts;
    const [throughMs, startedAt] = [await postgresNowMs(sql), performance.now()];
    const nowMs = clock.now().getTime();
    const settled = await this.#restore(lastingEvents(sql, nowMs - OFFER_AHEAD_MS));
    if (counters.engine === "redis") await pause(startedAt + IN_FLIGHT_MS - performance.now(), this.#stopping.signal);
    const sinceMs = nowMs - CAP_HOLD_MS - OFFER_AHEAD_MS;
    const held = await this.#restore(heldPlaces(sql, { sinceMs, holdMs: CAP_HOLD_MS }));
    log.info({ settled, held }, "frequency caps rebuilt");
    return throughMs;
  }

  /**
   * Counts what the engine may have missed, because it was unavailable or because the claiming process was killed right
   * after the claim.
   */
  async #catchUp(throughMs: number): Promise<void> {
    const { sql, counters } = this.#parts;
    const nowMs = await postgresNowMs(sql);
    const isRecent = !this.#hasMissed && nowMs - throughMs < CATCH_UP_EVERY_MS && this.#isReady;
    if (!isRecent) {
      this.#hasMissed = false;
      try {
        await this.#restore(eventsNotedSince(sql, throughMs - COMMITTED_WITHIN_MS));
        await counters.recordCounted(nowMs);
      } catch (failure) {
        this.#hasMissed = true;
        throw failure;
      }
    }
    this.#caughtUpAt = performance.now();
  }

  async #restore(pages: AsyncGenerator<ConfirmCaps[]>): Promise<number> {
    let restored = 0;
    for await (const page of pages) {
      this.#stopping.signal.throwIfAborted();
      await Promise.all(page.map((place) => this.#parts.counters.confirm(place)));
      restored += page.length;
    }
    return restored;
  }
}
