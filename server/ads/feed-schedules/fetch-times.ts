const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const FIRST_RETRY_MS = 15 * MINUTE_MS;
const GAP_MS = MINUTE_MS;

/** The number of consecutive failures after which a schedule pauses. */
export const FAILURES_MAX = 10;

/** When a schedule's next fetch is due after one that began at `startedAt`. */
export const afterSuccess = (startedAt: Date, intervalHours: number): Date =>
  new Date(startedAt.getTime() + intervalHours * HOUR_MS);

/** After failure number `failures` (1 first): 15 minutes, doubled each time, but never later than the schedule. */
export const afterFailure = (endedAt: Date, { failures, intervalHours }: { failures: number; intervalHours: number }) =>
  new Date(endedAt.getTime() + Math.min(intervalHours * HOUR_MS, FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 20)));

/** A fetch that a person asks for: now, but at least a minute after the last one began, to spare the shop's server. */
export const earliestManualFetch = (now: Date, startedAt: Date | null): Date =>
  new Date(Math.max(now.getTime(), (startedAt?.getTime() ?? 0) + GAP_MS));
