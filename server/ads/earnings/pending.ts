/** How long an earning is pending and can be clawed back after the end of its event's UTC day. */
export const PENDING_DAYS = 30;

const DAY_MS = 24 * 60 * 60 * 1000;

/** The earliest time whose earnings are still pending: the start of a UTC day, 30 days before that of `now`. */
export const pendingSince = (now: Date): Date => new Date((Math.floor(now.getTime() / DAY_MS) - PENDING_DAYS) * DAY_MS);

/** The day (YYYY-MM-DD) from whose start the earnings of a UTC day are available. */
export const availableOn = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + (PENDING_DAYS + 1) * DAY_MS).toISOString().slice(0, 10);
