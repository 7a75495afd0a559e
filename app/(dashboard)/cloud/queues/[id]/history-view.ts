import { dayOf, formatDay, formatTime } from "../../../../format/dates";
import type { Outputs } from "../../../../trpc/client";

export type History = Outputs["getQueueHistory"];
export type HistoryPoint = History["points"][number];

const HOUR_MS = 3_600_000;

/** What the plots can show: a period, and the length of a step in it. */
export const PERIODS = [
  { value: "1h", label: "1 hour", text: "the last hour", ms: HOUR_MS, step: "1m", stepText: "minute" },
  { value: "6h", label: "6 hours", text: "the last 6 hours", ms: 6 * HOUR_MS, step: "5m", stepText: "5 minutes" },
  { value: "24h", label: "24 hours", text: "the last 24 hours", ms: 24 * HOUR_MS, step: "15m", stepText: "15 minutes" },
  { value: "14d", label: "14 days", text: "the last 14 days", ms: 14 * 24 * HOUR_MS, step: "6h", stepText: "6 hours" },
] as const;
export type Period = (typeof PERIODS)[number];

export const periodOf = (text: string | null): Period => PERIODS.find(({ value }) => value === text) ?? PERIODS[0];

/** The start of the period that ends now, on a whole minute, so that renderings within a minute ask the same. */
export const startOf = ({ ms }: Period, now: Date): string =>
  new Date(Math.floor((now.getTime() - ms) / 60_000) * 60_000).toISOString();

/** "14:05", and "20 Nov 14:00" in a period of several days, in the reader's time zone. */
export function pointText(start: string, { ms }: Period, timezone: string): string {
  const time = formatTime(start, timezone);
  return ms > 24 * HOUR_MS ? `${formatDay(dayOf(new Date(start), timezone))} ${time}` : time;
}

/** Nothing happened, and there was nothing. */
export const isQuiet = (points: readonly HistoryPoint[]): boolean =>
  points.every(({ start: _, ...figures }) => Object.values(figures).every((figure) => figure === 0));
