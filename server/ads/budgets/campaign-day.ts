import { Zone } from "../local-time";

const HOUR_MS = 3_600_000;

export interface CampaignDay {
  /** The date, such as 2026-11-20. */
  day: string;
  fromMs: number;
  /** The end of the day, exclusive. */
  toMs: number;
}

/** The calendar day of a given time in a campaign's time zone, or in UTC if this Node.js does not support the zone. */
export function campaignDay(timezone: string, nowMs: number): CampaignDay {
  const zone = Zone.open(timezone) ?? Zone.open("UTC");
  if (!zone) throw new Error("This Node.js does not support the time zone UTC.");
  const day = zone.dateOf(nowMs);
  const fromMs = zone.startOfDay(day);
  // 36 hours later is always the next day, even when clocks change.
  return { day, fromMs, toMs: zone.startOfDay(zone.dateOf(fromMs + 36 * HOUR_MS)) };
}
