import { TURNAROUND_MS } from "../reserved-gpus/free-for-on-demand";

const DAY_MS = 24 * 3600 * 1000;

/** The interval in the calendar of a pool, in milliseconds, that a term of `days` needs. */
export const termBlock = (startsAt: Date, days: number): { from: number; to: number } => ({
  from: startsAt.getTime(),
  to: startsAt.getTime() + days * DAY_MS + TURNAROUND_MS,
});
