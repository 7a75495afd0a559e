import type { QuietPart } from "../part";
import { type ExpiredCtx, sweepExpired } from "./sweep-expired";

const SWEEP_EXPIRED = "sweep_expired";

/** Rows that nobody can use any more. */
export const expiredPart: QuietPart<ExpiredCtx> = {
  name: "expired rows",
  start: ({ db, clock }) => ({
    gives: {},
    tasks: { [SWEEP_EXPIRED]: () => sweepExpired({ db, clock }) },
    crontab: [`17 * * * * ${SWEEP_EXPIRED}`],
  }),
};
