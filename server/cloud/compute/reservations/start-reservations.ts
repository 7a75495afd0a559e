import type { StartedAlarms } from "../../../engines/start-alarms";
import type { RunningRound } from "../../../kernel/alarms";
import { advanceReservations } from "./advance-reservations";
import { NEXT_RESERVATION } from "./reservation-rounds.sql";
import type { AdvanceCtx } from "./stop-and-reclaim";

export interface StartReservations extends AdvanceCtx {
  alarms: Pick<StartedAlarms, "add">;
}

/** Begins and ends reservations in the background until `stop`; several processes may do so at the same time. */
export function startReservations({ alarms, ...ctx }: StartReservations): RunningRound {
  return alarms.add({
    topic: "reservations",
    purpose: "advance reservations",
    nextDue: NEXT_RESERVATION,
    run: () => advanceReservations(ctx),
  });
}
