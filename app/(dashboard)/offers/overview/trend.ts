import type { Report } from "./report";

type Row = Report["rows"][number];

/** Figures that can be added up over hours. */
export const SUMMED = [
  "requests",
  "served",
  "impressions",
  "clicks",
  "conversions",
  "earnings_micros",
  "spend_micros",
] as const;
export type Sums = Record<(typeof SUMMED)[number], number>;

/** The hour of a day and how much of it has passed, in the report's time zone. */
export interface TimeOfDay {
  hour: number;
  /** 0 to 1. */
  passed: number;
}

/**
 * What a day had brought by a time of day, from a report by hour: the whole hours before, and of the hour under way the
 * share that has passed, so that a morning is compared with mornings.
 */
export function sumsBy(rows: readonly Row[], day: string, { hour, passed }: TimeOfDay): Sums {
  const sums = Object.fromEntries(SUMMED.map((key) => [key, 0])) as Sums;
  for (const row of rows) {
    if (row.hour?.slice(0, 10) !== day) continue;
    const at = Number(row.hour.slice(11, 13));
    const share = at < hour ? 1 : at === hour ? passed : 0;
    for (const key of SUMMED) sums[key] += row[key] * share;
  }
  return sums;
}

/** The time of day of a moment in a time zone. */
export function timeOfDay(now: Date, timezone: string): TimeOfDay {
  const text = now.toLocaleTimeString("en-GB", { timeZone: timezone, hour: "2-digit", minute: "2-digit" });
  const [hour = 0, minute = 0] = text.split(":").map(Number);
  return { hour, passed: minute / 60 };
}
