import { ServiceError } from "../../../kernel/errors";
import { monthOf, type Period, periodOf } from "./months";

const DAY_MS = 86_400_000;
export const DAYS_MAX = 92;

interface AskedPeriod {
  /** A date in UTC. */
  from?: string | undefined;
  /** A date in UTC; exclusive. */
  to?: string | undefined;
  days?: number | undefined;
}

/**
 * The period of a report: the current month by default, the last `days` days with today, or dates; it ends now at the
 * latest. Throws `invalid_request` for a period without days or with more than 92.
 */
export function usagePeriod({ from, to, days }: AskedPeriod, now: Date): Period {
  if (days !== undefined) {
    if (from !== undefined || to !== undefined)
      throw invalid("days", "days: expected either `days` or `from` and `to`.");
    return { from: new Date(dayStart(now.getTime()) - (days - 1) * DAY_MS), to: now };
  }
  const start = from === undefined ? periodOf(monthOf(to === undefined ? now : beforeDate(to))).from : atDate(from);
  const end = to === undefined ? now : new Date(Math.min(atDate(to).getTime(), now.getTime()));
  if (start >= now) throw invalid("from", "from: expected a date that is not in the future.");
  if (start >= end) throw invalid("to", "to: expected a date after `from`; `to` itself is not part of the period.");
  if (end.getTime() - start.getTime() > DAYS_MAX * DAY_MS)
    throw invalid("from", `from: a period has at most ${DAYS_MAX} days.`);
  return { from: start, to: end };
}

const atDate = (date: string): Date => new Date(`${date}T00:00:00Z`);
const beforeDate = (date: string): Date => new Date(atDate(date).getTime() - 1);
const dayStart = (ms: number): number => Math.floor(ms / DAY_MS) * DAY_MS;

const invalid = (param: string, sentence: string): ServiceError =>
  new ServiceError("invalid_request", sentence, { param });
