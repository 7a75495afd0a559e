import type { Logger } from "pino";
import type { Counters } from "../../engines/counters/counters";
import { repeat } from "../../kernel/repeat";
import { wakePods } from "../pods/wake-pods";
import { advanceReservations } from "./advance-reservations";
import type { AdvanceCtx } from "./stop-and-reclaim";

export interface StartReservations extends AdvanceCtx {
  counters: Pick<Counters, "publish">;
  log: Pick<Logger, "info" | "warn">;
}

/** Starts and ends are exact within a second. */
const ROUND_MS = 400;

/** Begins and ends reservations in the background until `stop`; several processes may do so at the same time. */
export function startReservations({ counters, log, ...ctx }: StartReservations): { stop(): Promise<void> } {
  return repeat(
    { everyMs: ROUND_MS, log, purpose: "advance reservations" },
    async () => {
      if (await advanceReservations(ctx)) await wakePods(counters);
    },
    { atOnce: true },
  );
}
