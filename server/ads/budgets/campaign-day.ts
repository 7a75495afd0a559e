import { Zone } from "../reports/local-time";

const HOUR_MS = 3_600_000;

export interface CampaignDay {
  /** Such as 2026-11-20. */
  day: string;
  fromMs: number;
  /** Exclusive. */
  toMs: number;
}

/** The calendar day of a moment in a campaign's time zone; UTC's for a zone that this Node.js does not know. */
export function campaignDay(timezone: string, nowMs: number): CampaignDay {
  const zone = Zone.open(timezone) ?? Zone.open("UTC");
  if (!zone) throw new Error("This Node.js does not know the time zone UTC.");
  const day = zone.dateOf(nowMs);
  const fromMs = zone.startOfDay(day);
  // 36 hours on, whatever the clocks do, it is the next day.
  return { day, fromMs, toMs: zone.startOfDay(zone.dateOf(fromMs + 36 * HOUR_MS)) };
}
