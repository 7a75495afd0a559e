import { reserveCaps } from "../../../server/ads/caps/reserve-caps";
import { CAP_HOLD_MS } from "../../../server/ads/limits";
import type { Candidate } from "../../../server/ads/ranking/decision";
import type { CapsToLookUp } from "../../../server/engines/counters/counters";
import { MemoryCounters } from "../../../server/engines/counters/memory-counters";
import { ManualClock } from "../../../server/kernel/clock";
import { CHANNEL_ID, type Scenario } from "./scenario";

/** Frequency caps over the requests of one scenario, on a clock that follows them. */
export class ScenarioCaps {
  readonly #clock = new ManualClock(new Date(0));
  readonly #counters = new MemoryCounters(this.#clock);

  /** Ids of the items offered, of `candidates` in rank order, and counts those that were seen. */
  async serve(
    candidates: readonly Candidate[],
    { user, now, request, seen }: Scenario["requests"][number],
  ): Promise<string[]> {
    this.#clock.advance(Date.parse(now) - this.#clock.now().getTime());
    const reserve = async (asked: CapsToLookUp) => {
      const reserved = await this.#counters.reserve({ ...asked, holdMs: CAP_HOLD_MS });
      return { ...reserved, recordByMs: Number.POSITIVE_INFINITY };
    };
    const { newOffers } = await reserveCaps(
      { caps: { reserve }, channel: { id: CHANNEL_ID } },
      { candidates, user, wanted: request.limit, now: Date.parse(now) },
    );
    for (const { id, candidate, caps } of newOffers) {
      if (caps && seen.includes(candidate.item.id)) await this.#counters.confirm({ ...caps, id });
    }
    return newOffers.map(({ candidate }) => candidate.item.id);
  }
}
