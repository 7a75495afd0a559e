import type { Pool } from "pg";
import type { Logger } from "pino";
import type { CapVerdicts, Counters, LookCaps, SettleCaps } from "../../engines/counters/counters";
import type { Clock } from "../../kernel/clock";
import { pause } from "../../kernel/pause";
import { unlessAway } from "../../kernel/unless-away";
import { CAP_HOLD_MS, CAP_RECORDED_WITHIN_MS, OFFER_AHEAD_MS } from "../limits";
import type { OfferRecord } from "../offers/offer-record";
import { type Repeating, repeat } from "../ranking/repeat";
import { eventsNotedSince, heldPlaces, lastingEvents, postgresNowMs } from "./cap-events.sql";
import { eraseCaps } from "./erase-caps";

const LOOK_EVERY_MS = 500;
const CATCH_UP_EVERY_MS = 5 * 60_000;
/** A claim is committed this long after it was noted, at the latest: longer than any statement may run. */
const COMMITTED_WITHIN_MS = 2 * 60_000;
/** A start waits this long for counts that are being put back; capped campaigns follow later. */
const START_WAITS_MS = 2000;
/** Whoever reserved before the counts were lost has recorded the offer by then, or never hands it out. */
const IN_FLIGHT_MS = CAP_RECORDED_WITHIN_MS + 500;

export interface CapParts {
  sql: Pool;
  counters: Counters;
  clock: Clock;
  log: Pick<Logger, "info" | "warn">;
}

export interface ReservedPlaces extends CapVerdicts {
  /** Until then, on the clock of `performance.now()`, the offers must be recorded, or nobody may hear of them. */
  recordByMs: number;
}

/**
 * The counts behind frequency caps. They live in the counters engine; Postgres has what they are rebuilt from: every
 * counted impression in `cap_events`, every place still held on its offer. While counts are lacking nothing is
 * reserved, so that no cap is exceeded: after a start in process, or when Redis has lost its memory.
 */
export class CapCounts {
  readonly #parts: CapParts;
  readonly #stopping = new AbortController();
  #looking: Repeating | undefined;
  #isReady = false;
  /** The engine did not hear of an impression. */
  #hasMissed = false;
  #caughtUpAt = Number.NEGATIVE_INFINITY;

  constructor(parts: CapParts) {
    this.#parts = parts;
  }

  /** Puts back what is missing, then watches until `stop`. Resolves when caps can be counted, after 2 s at the latest. */
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

  /** Reserves places in one atomic step; undefined while caps cannot be counted. */
  async reserve(request: LookCaps): Promise<ReservedPlaces | undefined> {
    const { counters } = this.#parts;
    if (!this.#isReady) return undefined;
    const askedAt = performance.now();
    const reserved = await unlessAway(counters.reserve({ ...request, holdMs: CAP_HOLD_MS, whole: true }));
    // Counts in process end with the process, and what it had under way with them.
    const recordByMs = counters.engine === "memory" ? Number.POSITIVE_INFINITY : askedAt + CAP_RECORDED_WITHIN_MS;
    return reserved && { ...reserved, recordByMs };
  }

  /** The verdicts that `reserve` would give; undefined while caps cannot be counted. */
  async look(request: LookCaps): Promise<CapVerdicts["verdicts"] | undefined> {
    if (!this.#isReady) return undefined;
    return unlessAway(this.#parts.counters.look({ ...request, whole: true }));
  }

  /** Counts a seen offer for its whole windows. Postgres has it already: should the engine be away, it hears of it later. */
  async settle({ id, caps }: Pick<OfferRecord, "id" | "caps">): Promise<void> {
    if (!caps) return;
    await this.#parts.counters.settle({ ...caps, id }).catch(() => {
      this.#hasMissed = true;
    });
  }

  /** Gives the places of offers back that nobody will hear of. */
  async release(held: readonly Pick<OfferRecord, "id" | "caps">[]): Promise<void> {
    const { counters } = this.#parts;
    await Promise.allSettled(held.map(({ id, caps }) => caps && counters.release({ ...caps, id })));
  }

  /** Resolves when nothing that caps counted about a user is left. Throws `unavailable` when an engine is away. */
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

  /** Answers up to when everything was put back, on the clock of Postgres. */
  async #fill(): Promise<number> {
    const { sql, clock, counters, log } = this.#parts;
    const [throughMs, startedAt] = [await postgresNowMs(sql), performance.now()];
    const nowMs = clock.now().getTime();
    const settled = await this.#restore(lastingEvents(sql, nowMs - OFFER_AHEAD_MS));
    if (counters.engine === "redis") await pause(startedAt + IN_FLIGHT_MS - performance.now(), this.#stopping.signal);
    const sinceMs = nowMs - CAP_HOLD_MS - OFFER_AHEAD_MS;
    const held = await this.#restore(heldPlaces(sql, { sinceMs, holdMs: CAP_HOLD_MS }));
    log.info({ settled, held }, "frequency caps counted anew");
    return throughMs;
  }

  /** Counts what the engine may not have heard of: it was away, or whoever claimed the impression was killed right after. */
  async #catchUp(throughMs: number): Promise<void> {
    const { sql, counters } = this.#parts;
    const nowMs = await postgresNowMs(sql);
    const isRecent = !this.#hasMissed && nowMs - throughMs < CATCH_UP_EVERY_MS && this.#isReady;
    if (!isRecent) {
      this.#hasMissed = false;
      try {
        await this.#restore(eventsNotedSince(sql, throughMs - COMMITTED_WITHIN_MS));
        await counters.noteCounted(nowMs);
      } catch (failure) {
        this.#hasMissed = true;
        throw failure;
      }
    }
    this.#caughtUpAt = performance.now();
  }

  async #restore(pages: AsyncGenerator<SettleCaps[]>): Promise<number> {
    let restored = 0;
    for await (const page of pages) {
      this.#stopping.signal.throwIfAborted();
      await Promise.all(page.map((place) => this.#parts.counters.settle(place)));
      restored += page.length;
    }
    return restored;
  }
}
