import { formatDay } from "../../../format/dates";

const DAY_MS = 86_400_000;
const MONTHS_OF_YEAR_VIEW = 3;

/** A picture of time: from a moment, over a number of days. */
export interface Timeline {
  fromMs: number;
  days: number;
}

/** Where a moment is, in percent of the width; outside of the picture at its edge. */
export function percentAt({ fromMs, days }: Timeline, ms: number): number {
  const share = (ms - fromMs) / (days * DAY_MS);
  return Math.min(1, Math.max(0, share)) * 100;
}

/** The part of an interval that the picture shows, in percent; undefined if it shows nothing of it. */
export function barOf(
  timeline: Timeline,
  { starts_at, ends_at }: { starts_at: string; ends_at: string },
): { left: number; width: number } | undefined {
  const [left, right] = [percentAt(timeline, Date.parse(starts_at)), percentAt(timeline, Date.parse(ends_at))];
  return right > left ? { left, width: right - left } : undefined;
}

/** The first days of months, or in a long picture those of quarters, as labels with their place in percent. */
export function monthTicks(timeline: Timeline): { label: string; left: number }[] {
  const step = timeline.days > 120 ? MONTHS_OF_YEAR_VIEW : 1;
  const first = new Date(timeline.fromMs);
  return Array.from({ length: 16 }, (_, i) => Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1 + i, 1))
    .filter((ms) => ms < timeline.fromMs + timeline.days * DAY_MS && new Date(ms).getUTCMonth() % step === 0)
    .map((ms) => ({ label: formatDay(new Date(ms).toISOString().slice(0, 10)), left: percentAt(timeline, ms) }));
}

interface Step {
  at: string;
  count: number;
}

/** The free GPUs as an area in a square of 100 by 100 whose top is the capacity, for the `d` of a path. */
export function stepPath(timeline: Timeline, steps: readonly Step[], capacity: number): string {
  const points = steps.flatMap(({ at, count }, i) => {
    const y = 100 - (count / capacity) * 100;
    const next = steps[i + 1];
    const end = next ? percentAt(timeline, Date.parse(next.at)) : 100;
    return [`${percentAt(timeline, Date.parse(at)).toFixed(2)},${y.toFixed(2)}`, `${end.toFixed(2)},${y.toFixed(2)}`];
  });
  return `M0,100 L${points.join(" L")} L100,100 Z`;
}
