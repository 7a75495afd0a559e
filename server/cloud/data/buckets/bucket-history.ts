import { type BucketUsage, HOUR_MS } from "./bucket-hours.sql";

const DAY_MS = 24 * HOUR_MS;
/** Up to so many days, a history has a point for each hour, and otherwise for each day. */
const HOURLY_DAYS_MAX = 7;

export interface HistoryPeriod {
  step: "1h" | "1d";
  stepMs: number;
  /** The start of the first step, in milliseconds since 1970. */
  fromMs: number;
  steps: number;
}

/** The last `days` days up to now, in whole hours or days of UTC. */
export function historyPeriodOf(days: number, now: Date): HistoryPeriod {
  const isHourly = days <= HOURLY_DAYS_MAX;
  const stepMs = isHourly ? HOUR_MS : DAY_MS;
  const steps = (days * DAY_MS) / stepMs;
  const lastMs = Math.floor(now.getTime() / stepMs) * stepMs;
  return { step: isHourly ? "1h" : "1d", stepMs, steps, fromMs: lastMs - (steps - 1) * stepMs };
}

const NOTHING: BucketUsage = { objects: 0, versions: 0, bytes: 0 };

/** A point for each step: what was stored last in it or before it. The last point is what the bucket has now. */
export function historyPoints(
  stored: readonly (BucketUsage & { startMs: number })[],
  { fromMs, stepMs, steps }: HistoryPeriod,
  current: BucketUsage,
): (BucketUsage & { start: string })[] {
  const byStart = new Map(stored.map(({ startMs, ...usage }) => [startMs, usage]));
  const before = stored.findLast(({ startMs }) => startMs < fromMs) ?? NOTHING;
  let usage: BucketUsage = { objects: before.objects, versions: before.versions, bytes: before.bytes };
  return Array.from({ length: steps }, (_, i) => {
    const startMs = fromMs + i * stepMs;
    usage = i === steps - 1 ? current : (byStart.get(startMs) ?? usage);
    return { start: new Date(startMs).toISOString(), ...usage };
  });
}
